// A switch where a value is certain, otherwise a choice of three.

import type { Attribute } from '../../described.ts'
import { say } from '../messages.ts'
import type { InputProps } from './labelled.tsx'

interface BooleanProps {
  readonly attribute: Attribute
  readonly input: InputProps
  readonly value: unknown
  onChange(value: boolean | null): void
}

export function BooleanInput({ attribute, input, value, onChange }: BooleanProps) {
  const standard = attribute.default
  // A stored null is neither on nor off, so that a switch would lie.
  const isCertain =
    typeof value === 'boolean' ||
    (value === undefined && (attribute.required === true || standard !== undefined))
  const hasSwitch = isCertain && (attribute.required === true || typeof standard === 'boolean')
  if (hasSwitch) {
    const isOn = value === true || (value === undefined && standard === true)
    const { 'aria-required': _, ...rest } = input
    return (
      <input
        {...rest}
        type="checkbox"
        role="switch"
        class="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  return (
    <select
      {...input}
      value={typeof value === 'boolean' ? String(value) : ''}
      onChange={({ currentTarget: { value: next } }) => onChange(next === '' ? null : next === 'true')}
    >
      <option value="">—</option>
      <option value="true">{say('Yes')}</option>
      <option value="false">{say('No')}</option>
    </select>
  )
}
