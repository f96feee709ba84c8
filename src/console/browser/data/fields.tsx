// Shows one field of a form by the type of its attribute.

import type { ComponentChildren } from 'preact'
import type { Attribute, Model } from '../../described.ts'
import type { Fault } from '../server.ts'
import { ComponentField, ZoneField } from './component-fields.tsx'
import { LinkField } from './link-field.tsx'
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
  const id = `field-${path.join('-')}`
  // JSON and blocks show the faults below them, since their parts have no fields of their own.
  const own = faults.filter(
    (fault) =>
      path.every((step, index) => fault.path[index] === step) &&
      (attribute.kind === 'scalar' || fault.path.length === path.length),
  )
  const common = { attribute, id, faults: own, conflict }
  if (reveal !== undefined)
    return (
      <Labelled {...common}>
        <button type="button" class="small" id={id} onClick={reveal}>
          •••••• show the private values
        </button>
      </Labelled>
    )
  switch (attribute.kind) {
    case 'scalar':
      return (
        <Labelled {...common}>
          <ScalarInput
            {...{ attribute, model, value, onChange, id }}
            invalid={own.length > 0}
            label={attribute.name}
          />
        </Labelled>
      )
    case 'relation':
    case 'media':
      return (
        <Labelled {...common}>
          <LinkField {...{ attribute, model, onChange, id }} value={(value ?? []) as readonly EntryLink[]} />
        </Labelled>
      )
    case 'component':
      return (
        <Labelled {...common} group>
          <ComponentField {...props} value={value as Values | readonly Values[] | null | undefined} />
        </Labelled>
      )
    case 'dynamiczone':
      return (
        <Labelled {...common} group>
          <ZoneField {...props} value={(value ?? []) as readonly Values[]} />
        </Labelled>
      )
  }
}

interface LabelledProps {
  readonly attribute: Attribute
  readonly id: string
  readonly faults: readonly Fault[]
  readonly group?: boolean
  readonly conflict?: ComponentChildren
  readonly children: ComponentChildren
}

function Labelled({ attribute, id, faults, group = false, conflict, children }: LabelledProps) {
  const title = (
    <>
      {attribute.name}
      {attribute.required === true && (
        <span class="required" title="required">
          {' '}
          *
        </span>
      )}{' '}
      <span class="kind">{describe(attribute)}</span>
    </>
  )
  const problems = faults.map(({ message }) => (
    <p class="fault error" role="alert">
      {message}
    </p>
  ))
  if (group)
    return (
      <fieldset class="field">
        <legend>{title}</legend>
        {children}
        {problems}
        {conflict}
      </fieldset>
    )
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {children}
      {problems}
      {conflict}
    </div>
  )
}

export function describe(attribute: Attribute): string {
  const { type, component, components, target, relation, min, max, minLength, maxLength, regex } = attribute
  const range = (low: unknown, high: unknown, unit: string): string => {
    if (low === undefined) return high === undefined ? '' : `at most ${high}${unit}`
    return high === undefined ? `at least ${low}${unit}` : `${low}–${high}${unit}`
  }
  const short = (uid: string): string => uid.replace(/^api::[^.]+\./, '')
  return [
    relation === undefined ? type : `${relation} ${target === undefined ? '' : short(target)}`,
    component,
    components?.join(' | '),
    attribute.many === true && attribute.kind !== 'relation' ? 'several' : '',
    range(min, max, ''),
    range(minLength, maxLength, ' characters'),
    regex === undefined ? '' : `/${regex}/`,
    attribute.unique === true ? 'unique' : '',
    attribute.private === true ? 'private' : '',
    attribute.computed === undefined ? '' : `= ${attribute.computed}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
}
