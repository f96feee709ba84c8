// Numbers with a fraction; integer extends the record of float.

import type { AttributeType, CheckResult, Constraints } from './attribute-type.ts'
import { buildRangeKeys } from './config-keys.ts'
import { bad, createInvalidValue } from './faults.ts'
import { formatValue } from './shown-value.ts'

export const float: AttributeType = {
  config: {
    definition: 'decimalAttribute',
    description: 'A number with a fraction.',
    typeDescription: 'A number: `float` as computers count, `decimal` for amounts.',
    required: [],
    keys: buildRangeKeys({ type: 'number' }),
  },
  example: undefined,
  wanted: (value) => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'),
  bound: Number,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  atMoment: undefined,
  checkVersion: undefined,
  check: (constraints, label, value) => checkNumber(constraints, label, value, false),
  // Stored numbers are finite, so an infinite value matches nothing.
  cast(value, name) {
    const cast = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof cast !== 'number' || Number.isNaN(cast)) throw createInvalidValue(name, 'a number')
    return Number.isFinite(cast) ? cast : null
  },
  yupType: 'number',
  search: 'number',
  inExpressions: 'number',
  column: 'float',
  decode: Number,
  toJson: String,
  graphql: 'Float',
  jsonSchema: { type: 'number' },
  typeScript: { answered: 'number', taken: 'number' },
}

export const decimal: AttributeType = { ...float, column: 'decimal' }

/** Accepts a number also as text or as the only element of a list. */
export function checkNumber(
  { min, max }: Constraints,
  label: string,
  value: unknown,
  whole: boolean,
): CheckResult {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const cast =
    typeof single === 'number' ? single : typeof single === 'string' ? fromText(single) : Number.NaN
  if (!Number.isFinite(cast)) {
    return bad(
      `${label} must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${formatValue(value)}\`).`,
    )
  }
  const faults: string[] = []
  if (whole && !Number.isInteger(cast)) faults.push(`${label} must be an integer`)
  else if (whole && !Number.isSafeInteger(cast)) {
    faults.push(`${label} must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`)
  }
  if (min !== undefined && cast < Number(min)) faults.push(`${label} must be greater than or equal to ${min}`)
  if (max !== undefined && cast > Number(max)) faults.push(`${label} must be less than or equal to ${max}`)
  // -0 is stored as 0: they are the same value, and the database would return the sign.
  return { value: cast === 0 ? 0 : cast, faults }
}

function fromText(value: string): number {
  return value.trim() === '' ? Number.NaN : Number(value)
}
