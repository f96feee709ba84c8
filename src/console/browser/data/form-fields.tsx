// The fields of an entry, in the groups of its content-type, with another locale beside them.

import type { ComponentChildren } from 'preact'
import type { Attribute, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Conflict } from './conflict.tsx'
import { Field } from './fields.tsx'
import { OtherValue, useOtherLocale } from './locale-links.tsx'
import { listScheduled } from './schedule.tsx'
import type { EntryFormState } from './use-entry-form.ts'

interface FormFieldsProps {
  readonly type: Type
  readonly model: Model
  readonly form: EntryFormState
  /** The locale that is shown beside the fields. */
  readonly compared: string | undefined
  readonly closed: boolean
}

export function FormFields({ type, model, form, compared, closed }: FormFieldsProps) {
  const { entry } = form.state
  const other = useOtherLocale(type, model, entry, compared)
  const groups = listGroups(type).map(({ label, attributes }) => {
    const fields = attributes.map((attribute) => (
      <EntryField key={attribute.name} {...{ attribute, model, form, closed }} isNew={entry === null}>
        {compared !== undefined && other !== undefined && attribute.localized === true && (
          <OtherValue {...{ attribute, model }} locale={compared} value={other[attribute.name]} />
        )}
      </EntryField>
    ))
    return label === '' ? (
      fields
    ) : (
      <section class="entry-group">
        <h2>{label}</h2>
        {fields}
      </section>
    )
  })
  if (!closed) return <div class="entry-fields">{groups}</div>
  return (
    <fieldset class="entry-fields" disabled>
      <legend class="hidden">{say('Fields, to be read only')}</legend>
      {groups}
    </fieldset>
  )
}

interface Group {
  readonly label: string
  readonly attributes: readonly Attribute[]
}

function listGroups(type: Type): readonly Group[] {
  // The panel shows them.
  const hidden = [...listScheduled(type).map(({ name }) => name), 'localizations']
  return type.look.groups
    .map(({ label, fields }) => ({
      label,
      attributes: fields
        .filter((name) => !hidden.includes(name))
        .flatMap((name) => type.attributes.find((one) => one.name === name) ?? []),
    }))
    .filter(({ attributes }) => attributes.length > 0)
}

interface EntryFieldProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly form: EntryFormState
  readonly closed: boolean
  readonly isNew: boolean
  readonly children: ComponentChildren
}

function EntryField({ attribute, model, form, closed, isNew, children }: EntryFieldProps) {
  const { values, original, faults, conflicts } = form.state
  const { name } = attribute
  const isHidden =
    !isNew && attribute.private === true && attribute.type !== 'password' && !(name in original)
  return (
    <div class="entry-field" id={`at-${name}`} tabIndex={-1}>
      <Field
        attribute={closed ? { ...attribute, writable: false } : attribute}
        model={model}
        value={values[name]}
        path={[name]}
        faults={faults}
        onChange={(value) => form.setValue(name, value)}
        reveal={isHidden ? () => void form.reveal() : undefined}
        conflict={
          name in conflicts && (
            <Conflict
              {...{ attribute, model }}
              mine={values[name]}
              theirs={conflicts[name]}
              onChoose={(theirs) => form.solve(name, theirs)}
            />
          )
        }
      />
      {children}
    </div>
  )
}
