// Casts a filter's value, text or JSON, to the attribute's type; an invalid value is a 400.

import type { ScalarValue } from '../attribute-types/attribute-type.ts'
import { buildTable } from '../attribute-types/attribute-types.ts'
import { createInvalidValue } from '../attribute-types/faults.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import { planLimits } from './planning.ts'

const casts = buildTable(({ cast }) => cast)
const columns = buildTable(({ column }) => column)

export function castValue(attribute: ScalarAttribute, value: unknown): ScalarValue {
  assertScalar(attribute.name, value)
  if (value === null) return null
  if (attribute.name === 'id') return castId(value)
  return casts[attribute.type](value, attribute.name)
}

/** For a JSON attribute, `42` in a query string is the number, `"42"` the text; invalid JSON is text. */
export function castReadingJson(attribute: ScalarAttribute, value: unknown): ScalarValue {
  assertScalar(attribute.name, value)
  if (typeof value === 'string' && columns[attribute.type] === 'json')
    return casts[attribute.type](readJson(value), attribute.name)
  return castValue(attribute, value)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function castText(attribute: ScalarAttribute, value: unknown): ScalarValue {
  assertScalar(attribute.name, value)
  return value === null ? null : String(value)
}

function assertScalar(name: string, value: unknown): void {
  if (value !== null && typeof value === 'object') throw createInvalidValue(name, 'a single value')
  if (typeof value === 'string') {
    if (value.length > planLimits.valueLength) {
      throw new ApiError(
        'ValidationError',
        `The value for ${name} is longer than ${planLimits.valueLength} characters`,
      )
    }
    if (value.includes('\0')) throw createInvalidValue(name, 'text without NUL characters')
  }
}

/** A value that is not a number becomes null, which matches no id. */
export function castId(value: unknown): number | null {
  const id =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
  return Number.isSafeInteger(id) ? id : null
}
