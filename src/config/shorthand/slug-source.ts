// A `slug` without `from` is made from the type's title or name.

import { attributeTypes, isScalarType } from '../../attribute-types/attribute-types.ts'
import { isRecord } from '../../util/is-record.ts'
import type { PlainForm } from './attribute-form.ts'

type Entries = readonly (readonly [key: string, value: unknown])[]

/** Completes `form`, if it was written as `slug`; `attributes` are all of the type, read or not. */
export function nameSource(form: PlainForm, written: unknown, attributes: Entries): PlainForm {
  const { attribute, parts } = form
  const word = isRecord(written) ? written['type'] : written
  if (!/^slug[!?]?$/.test(String(word)) || attribute['targetField'] !== undefined) return form
  const found = ['title', 'name'].find((name) => {
    const [, value] = attributes.find(([key]) => key === name) ?? []
    return isText(isRecord(value) ? value['type'] : value)
  })
  return found === undefined ? form : { ...form, attribute: { ...attribute, targetField: found }, parts }
}

function isText(type: unknown): boolean {
  if (typeof type !== 'string') return false
  const name = type.replace(/[!?]$/, '')
  return isScalarType(name) && attributeTypes[name].sluggable
}
