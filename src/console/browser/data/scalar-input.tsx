// An input for a scalar, by its type.

import type { Attribute, Model } from '../../described.ts'
import { BlocksInput } from './blocks-input.tsx'
import { JsonInput } from './json-input.tsx'
import { Preview, RichText } from './preview.tsx'

interface ScalarProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: unknown
  readonly id: string
  readonly invalid: boolean
  readonly label: string
  onChange(value: unknown): void
}

export function ScalarInput({ attribute, model, value, id, invalid, label, onChange }: ScalarProps) {
  const { type, computed, writable } = attribute
  const common = {
    id,
    'aria-invalid': invalid || undefined,
    disabled: computed !== undefined || writable === false,
  }
  const text = value === null || value === undefined ? '' : String(value)
  switch (type) {
    case 'boolean':
      return (
        <select
          {...common}
          value={text}
          onChange={({ currentTarget: { value: next } }) => onChange(next === '' ? null : next === 'true')}
        >
          <option value="">—</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      )
    case 'enumeration':
      return (
        <select
          {...common}
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
      return <textarea {...common} value={text} onInput={(event) => onChange(event.currentTarget.value)} />
    case 'richtext':
      return (
        <>
          <textarea {...common} value={text} onInput={(event) => onChange(event.currentTarget.value)} />
          <Preview>{() => <RichText text={text} />}</Preview>
        </>
      )
    case 'json':
      return <JsonInput {...common} value={value} onChange={onChange} />
    case 'blocks':
      return <BlocksInput {...{ id, label, model, value, invalid, onChange }} disabled={common.disabled} />
    case 'integer':
    case 'float':
    case 'decimal':
      return (
        <input
          {...common}
          inputMode="decimal"
          value={text}
          onInput={({ currentTarget: { value: next } }) =>
            // Sends invalid numbers unchanged, so that the API reports them.
            onChange(next.trim() === '' ? null : Number.isNaN(Number(next)) ? next : Number(next))
          }
        />
      )
    case 'password':
      return (
        <input
          {...common}
          type="password"
          autocomplete="new-password"
          placeholder="unchanged"
          value={text}
          onInput={(event) =>
            onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
          }
        />
      )
    case 'date':
      return (
        <input
          {...common}
          type="date"
          value={text}
          onInput={(event) => onChange(event.currentTarget.value || null)}
        />
      )
    default:
      return (
        <input
          {...common}
          class="wide"
          placeholder={getPlaceholder(attribute)}
          value={text}
          onInput={({ currentTarget: { value: next } }) =>
            onChange(next === '' && !isText(type) ? null : next)
          }
        />
      )
  }
}

function isText(type: string): boolean {
  return type === 'string'
}

function getPlaceholder({ type, targetField, default: standard }: Attribute): string | undefined {
  if (type === 'datetime') return '2026-01-31T12:00:00.000Z'
  if (type === 'time') return '12:30:00'
  if (type === 'uid' && targetField !== undefined) return `made from ${targetField}`
  return standard === undefined || typeof standard === 'object' ? undefined : String(standard)
}
