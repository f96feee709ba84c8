// Shows one field of a form by the type of its attribute.

import type { ComponentChildren } from 'preact'
import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import type { Fault } from '../server.ts'
import { ComponentField, ZoneField } from './component-fields.tsx'
import { shown } from './export.ts'
import { Labelled } from './labelled.tsx'
import { LinkField } from './link-field.tsx'
import { MediaField } from './media-field.tsx'
import { ScalarInput } from './scalar-input.tsx'
import type { EntryLink, Values } from './values.ts'

export interface FieldProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: unknown
  readonly path: readonly string[]
  readonly faults: readonly Fault[]
  onChange(value: unknown): void
  readonly reveal?: (() => void) | undefined
  /** The value that somebody else has saved meanwhile. */
  readonly conflict?: ComponentChildren
}

export function Field(props: FieldProps) {
  const { attribute, model, value, path, faults, onChange, reveal, conflict } = props
  const { kind, name, label } = attribute
  const id = `field-${path.join('-')}`
  // JSON and blocks show the faults below them, since their parts have no fields of their own.
  const own = faults.filter(
    (fault) =>
      path.every((step, index) => fault.path[index] === step) &&
      (kind === 'scalar' || fault.path.length === path.length),
  )
  const common = { attribute, id, value, faults: own, conflict }
  // The form's links to other locales stand for it.
  if (name === 'localizations') return null
  if (reveal !== undefined)
    return (
      <Labelled {...common} frame="input">
        {(input) => (
          <button type="button" class="small" id={input.id} onClick={reveal}>
            •••••• {say('show the private values')}
          </button>
        )}
      </Labelled>
    )
  if (attribute.writable === false || attribute.computed !== undefined) return <ReadOnly {...common} />
  switch (kind) {
    case 'scalar':
      return (
        <Labelled {...common} frame="input">
          {(input) => <ScalarInput {...{ attribute, model, value, onChange, input, label }} />}
        </Labelled>
      )
    case 'relation':
      return (
        <Labelled {...common} frame="input">
          {(input) => (
            <LinkField
              {...{ attribute, model, onChange, input }}
              value={(value ?? []) as readonly EntryLink[]}
            />
          )}
        </Labelled>
      )
    case 'media':
      return (
        <Labelled {...common} frame="group">
          {(input) => (
            <MediaField
              {...{ attribute, model, onChange, input }}
              value={(value ?? []) as readonly EntryLink[]}
            />
          )}
        </Labelled>
      )
    case 'component':
      return (
        <Labelled {...common} frame="group">
          {() => <ComponentField {...props} value={value as Values | readonly Values[] | null | undefined} />}
        </Labelled>
      )
    case 'dynamiczone':
      return (
        <Labelled {...common} frame="group">
          {() => <ZoneField {...props} value={(value ?? []) as readonly Values[]} />}
        </Labelled>
      )
  }
}

interface ReadOnlyProps {
  readonly attribute: Attribute
  readonly id: string
  readonly value: unknown
  readonly faults: readonly Fault[]
  readonly conflict?: ComponentChildren
}

/** A value that the server makes; a new entry does not have it yet. */
function ReadOnly(props: ReadOnlyProps) {
  const { id, value } = props
  if (value === undefined) return null
  const text = shown(value)
  return (
    <Labelled {...props} frame="text">
      {() => (
        <p class="read-only" id={id}>
          {text === '' ? <span class="quiet">{say('nothing')}</span> : text}
        </p>
      )}
    </Labelled>
  )
}
