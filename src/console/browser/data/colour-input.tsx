// A colour as text, such as `#1a2b3c`, with the browser's chooser beside it.

import type { Attribute } from '../../described.ts'
import { say } from '../messages.ts'
import type { InputProps } from './labelled.tsx'

const COLOUR = /^#[\da-f]{6}$/i

/** The custom field `color` of Strapi is a string with such a pattern or default. */
export function isColour({ type, regex, default: standard }: Attribute): boolean {
  const isPattern = regex !== undefined && /^\^?\(*(?:\?:)?#/.test(regex) && /a-f/i.test(regex)
  return type === 'string' && (isPattern || (typeof standard === 'string' && COLOUR.test(standard)))
}

interface ColourProps {
  readonly attribute: Attribute
  readonly input: InputProps
  readonly label: string
  readonly text: string
  onChange(value: string): void
}

export function ColourInput({ attribute, input, label, text, onChange }: ColourProps) {
  const standard = typeof attribute.default === 'string' ? attribute.default : undefined
  return (
    <span class="with-unit">
      <input
        type="color"
        aria-label={say('{label}: choose a colour', { label })}
        value={COLOUR.test(text) ? text.toLowerCase() : (standard ?? '#000000')}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <input
        {...input}
        placeholder={attribute.placeholder ?? standard ?? '#1a2b3c'}
        spellcheck={false}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </span>
  )
}
