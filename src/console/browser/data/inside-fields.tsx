// The fields of one component.

import { Field, type FieldProps } from './fields.tsx'
import { listAttributes, type Values } from './values.ts'

interface InsideProps extends Omit<FieldProps, 'value' | 'onChange'> {
  readonly uid: string
  readonly value: Values
  onChange(value: Values): void
}

export function InsideFields({ uid, value, path, model, faults, onChange }: InsideProps) {
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
