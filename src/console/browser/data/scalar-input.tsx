// An input for a scalar, by its type.

import type { InputHTMLAttributes } from 'preact'
import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import { BlocksInput } from './blocks-input.tsx'
import { BooleanInput } from './boolean-input.tsx'
import { ColourInput, isColour } from './colour-input.tsx'
import { MomentInput, TimeInput } from './date-input.tsx'
import { JsonInput } from './json-input.tsx'
import type { InputProps } from './labelled.tsx'
import { MarkdownInput } from './markdown-input.tsx'
import { TypedInput } from './typed-input.tsx'

interface ScalarProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: unknown
  readonly input: InputProps
  readonly label: string
  onChange(value: unknown): void
}

export function ScalarInput({ attribute, model, value, input, label, onChange }: ScalarProps) {
  const { type } = attribute
  const placeholder = getPlaceholder(attribute)
  const text = value === null || value === undefined ? '' : String(value)
  switch (type) {
    case 'boolean':
      return <BooleanInput {...{ attribute, input, value, onChange }} />
    case 'enumeration':
      return (
        <select
          {...input}
          value={text}
          onChange={({ currentTarget: { value: next } }) => onChange(next === '' ? null : next)}
        >
          <option value="">{attribute.default === undefined ? '—' : `— (${attribute.default})`}</option>
          {attribute.enum?.map((one) => (
            <option>{one}</option>
          ))}
        </select>
      )
    case 'text':
      return (
        <textarea
          {...input}
          placeholder={placeholder}
          value={text}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'richtext':
      return <MarkdownInput {...{ input, label, model, placeholder, text, onChange }} />
    case 'json':
      return <JsonInput {...{ input, label, value, onChange }} />
    case 'blocks':
      return <BlocksInput {...{ input, label, model, value, onChange }} />
    case 'integer':
    case 'float':
    case 'decimal':
      return (
        <TypedInput
          {...{ input, value, onChange }}
          more={{ inputMode: type === 'integer' ? 'numeric' : 'decimal', placeholder }}
          format={(number) => String(number ?? '')}
          // Sends invalid numbers unchanged, so that the API reports them.
          parse={(next) => (next.trim() === '' ? null : Number.isNaN(Number(next)) ? next : Number(next))}
        />
      )
    case 'password':
      return (
        <input
          {...input}
          type="password"
          autocomplete="new-password"
          placeholder={placeholder ?? say('unchanged')}
          value={text}
          onInput={(event) =>
            onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
          }
        />
      )
    case 'date':
      return (
        <input
          {...input}
          type="date"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value || null)}
        />
      )
    case 'datetime':
    case 'timestamp':
      return <MomentInput {...{ input, value, onChange }} />
    case 'time':
      return <TimeInput {...{ input, value, onChange }} />
    default:
      return isColour(attribute) ? (
        <ColourInput {...{ attribute, input, label, text, onChange }} />
      ) : (
        <input
          {...input}
          {...getKeyboard(attribute)}
          class="wide"
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget: { value: next } }) =>
            onChange(next === '' && type !== 'string' ? null : next)
          }
        />
      )
  }
}

/** The type of an input chooses the keys of a phone; the API checks the value. */
function getKeyboard({ type, name, regex = '' }: Attribute): InputHTMLAttributes<HTMLInputElement> {
  if (type === 'biginteger') return { inputMode: 'numeric' }
  if (type === 'email') return { type: 'email' }
  const isAddress = /^\^?\(?https?/.test(regex) || /(?:^|_)(?:url|website)$|Url$/i.test(name)
  return type === 'string' && isAddress ? { type: 'url' } : {}
}

function getPlaceholder({
  type,
  placeholder,
  targetField,
  default: standard,
}: Attribute): string | undefined {
  if (placeholder !== undefined) return placeholder
  if (type === 'uid' && targetField !== undefined) return say('made from {targetField}', { targetField })
  return standard === undefined || typeof standard === 'object' ? undefined : String(standard)
}
