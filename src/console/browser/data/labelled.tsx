// The frame of a field: its label, help, limits and faults, tied to the input for screen readers.

import { Globe } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { Attribute } from '../../described.ts'
import { getLanguage, say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import type { Fault } from '../server.ts'
import { describe, describeLimits } from './describe-attribute.ts'

/** What an input says about itself. */
export interface InputProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-errormessage': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

interface LabelledProps {
  readonly attribute: Attribute
  readonly id: string
  readonly value: unknown
  readonly faults: readonly Fault[]
  readonly conflict?: ComponentChildren
  /** `input`: one input, which the label belongs to; `group`: several; `text`: only shown. */
  readonly frame: 'input' | 'group' | 'text'
  children(input: InputProps): ComponentChildren
}

export function Labelled({ attribute, id, value, faults, conflict, frame, children }: LabelledProps) {
  const { label, description, required, localized } = attribute
  const limits = frame === 'text' ? '' : describeLimits(attribute)
  const told = [
    description === undefined ? '' : `help-of-${id}`,
    limits === '' ? '' : `limits-of-${id}`,
    faults.length === 0 ? '' : `faults-of-${id}`,
  ].filter((one) => one !== '')
  const input: InputProps = {
    id,
    'aria-describedby': told.length === 0 ? undefined : told.join(' '),
    'aria-errormessage': faults.length === 0 ? undefined : `faults-of-${id}`,
    'aria-invalid': faults.length > 0 || undefined,
    'aria-required': required || undefined,
  }
  const marks = (
    <>
      {required === true && (
        <span class="required" title={say('required')}>
          <span aria-hidden="true">*</span>
          <span class="hidden">{say('required')}</span>
        </span>
      )}
      {localized === true && (
        <span class="localized" title={say('localized: each language has its own')}>
          <Icon of={Globe} size={13} />
          <span class="hidden">{say('localized')}</span>
        </span>
      )}
    </>
  )
  const inside = (
    <>
      {description !== undefined && (
        <p class="help" id={`help-of-${id}`}>
          {description}
        </p>
      )}
      {children(input)}
      {limits !== '' && (
        <p class="limits" id={`limits-of-${id}`}>
          {limits}
          <Count text={value} max={attribute.maxLength} />
        </p>
      )}
      <div id={`faults-of-${id}`}>
        {faults.map(({ message }) => (
          <p class="fault error" role="alert">
            {message}
          </p>
        ))}
      </div>
      {conflict}
    </>
  )
  const title = `${attribute.name} · ${describe(attribute)}`
  if (frame === 'group')
    return (
      <fieldset class="field" aria-describedby={input['aria-describedby']}>
        <legend title={title}>
          <span id={`label-of-${id}`}>{label}</span> {marks}
        </legend>
        {inside}
      </fieldset>
    )
  return (
    <div class="field">
      <div class="field-head" title={title}>
        {frame === 'text' ? (
          <span class="label">{label}</span>
        ) : (
          <label for={id} id={`label-of-${id}`}>
            {label}
          </label>
        )}
        {marks}
      </div>
      {inside}
    </div>
  )
}

/** The part of the limit from which on the characters are counted. */
const NEAR = 0.75

function Count({ text, max }: { readonly text: unknown; readonly max: number | undefined }) {
  if (max === undefined || typeof text !== 'string' || text.length < max * NEAR) return null
  return (
    <span class={text.length > max ? 'count error' : 'count'}>
      {say('{count} of {max}', {
        count: text.length.toLocaleString(getLanguage()),
        max: max.toLocaleString(getLanguage()),
      })}
    </span>
  )
}
