// The fields of components and dynamic zones, nested in a form.

import { useState } from 'preact/hooks'
import { Field, type FieldProps } from './fields.tsx'
import { listAttributes, type Values } from './values.ts'

interface PartProps extends Omit<FieldProps, 'value' | 'onChange'> {
  readonly uid: string
  readonly value: Values
  onChange(value: Values): void
}

function Part({ uid, value, path, model, faults, onChange }: PartProps) {
  return (
    <>
      {listAttributes(model, uid).map((attribute) => (
        <Field
          key={attribute.name}
          {...{ attribute, model, faults }}
          value={value[attribute.name]}
          path={[...path, attribute.name]}
          onChange={(next) => onChange({ ...value, [attribute.name]: next })}
        />
      ))}
    </>
  )
}

interface ComponentProps extends Omit<FieldProps, 'value'> {
  readonly value: Values | readonly Values[] | null | undefined
}

export function ComponentField(props: ComponentProps) {
  const { attribute, value, onChange } = props
  const { component: uid = '' } = attribute
  if (attribute.many === true)
    return (
      <Parts
        {...props}
        parts={(value ?? []) as readonly Values[]}
        getUid={() => uid}
        choices={[uid]}
        make={() => ({})}
      />
    )
  if (value === null || value === undefined)
    return (
      <button type="button" class="small" onClick={() => onChange({})}>
        Add
      </button>
    )
  return (
    <>
      <Part {...props} uid={uid} value={value as Values} />
      {attribute.required !== true && (
        <button type="button" class="small" onClick={() => onChange(null)}>
          Remove
        </button>
      )}
    </>
  )
}

export function ZoneField(props: Omit<FieldProps, 'value'> & { readonly value: readonly Values[] }) {
  return (
    <Parts
      {...props}
      parts={props.value}
      getUid={(part) => String(part['__component'])}
      choices={props.attribute.components ?? []}
      make={(uid) => ({ __component: uid })}
    />
  )
}

interface PartsProps extends Omit<FieldProps, 'value'> {
  readonly parts: readonly Values[]
  readonly choices: readonly string[]
  getUid(part: Values): string
  make(uid: string): Values
}

function Parts({ parts, choices, getUid: uidOf, make, ...props }: PartsProps) {
  const { path, onChange } = props
  const [choice, setChoice] = useState(choices[0] ?? '')
  const move = (from: number, to: number): void => {
    const moved = [...parts]
    moved.splice(to, 0, ...moved.splice(from, 1))
    onChange(moved)
  }
  return (
    <>
      {parts.map((part, index) => (
        <div class="part">
          <div class="buttons">
            <strong>
              {index + 1}
              {choices.length > 1 && ` · ${uidOf(part)}`}
            </strong>
            <button
              type="button"
              class="small"
              aria-label={`Move ${index + 1} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Move ${index + 1} down`}
              disabled={index === parts.length - 1}
              onClick={() => move(index, index + 1)}
            >
              ↓
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Remove ${index + 1}`}
              onClick={() => onChange(parts.filter((_, at) => at !== index))}
            >
              ×
            </button>
          </div>
          <Part
            {...props}
            uid={uidOf(part)}
            value={part}
            path={[...path, String(index)]}
            onChange={(next) => onChange(parts.map((one, at) => (at === index ? next : one)))}
          />
        </div>
      ))}
      <div class="buttons">
        {choices.length > 1 && (
          <select
            aria-label="Component to add"
            value={choice}
            onChange={(event) => setChoice(event.currentTarget.value)}
          >
            {choices.map((uid) => (
              <option>{uid}</option>
            ))}
          </select>
        )}
        <button type="button" class="small" onClick={() => onChange([...parts, make(choice)])}>
          Add
        </button>
      </div>
    </>
  )
}
