// A 64-bit whole number, sent as text, because JavaScript's numbers are exact only up to 53 bits.

import { int64Bounds, isInt64 } from '../lib/int64.ts'
import type { AttributeType } from './attribute-type.ts'
import { buildRangeKeys } from './config-keys.ts'
import { bad, createInvalidValue } from './faults.ts'

export const biginteger: AttributeType = {
  config: {
    definition: 'bigintegerAttribute',
    description: 'A whole number of up to 64 bits, answered as text.',
    typeDescription: 'A whole number of up to 64 bits.',
    required: [],
    keys: buildRangeKeys({
      type: ['string', 'integer'],
      pattern: '^[-+]?\\d+$',
      patternErrorMessage: 'a whole number, in quotes when it is large: "9007199254740993"',
    }),
  },
  example: undefined,
  wanted: (value) => (parseBigInteger(value) === undefined ? 'a whole number of at most 64 bits' : undefined),
  bound: parseBigInteger,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  atMoment: undefined,
  checkVersion: undefined,
  check({ min, max }, label, value) {
    const digits = getDigits(value)
    if (digits === undefined) {
      return bad(
        Number.isInteger(value) || isDigits(value)
          ? `${label} must be a whole number of at most 64 bits, as text when it is beyond 9007199254740991`
          : `${label} must be a valid integer`,
      )
    }
    const cast = BigInt(digits)
    if (!isInt64(cast)) return bad(`${label} must be ${int64Bounds}`)
    const faults: string[] = []
    if (min !== undefined && cast < BigInt(min))
      faults.push(`${label} must be greater than or equal to ${min}`)
    if (max !== undefined && cast > BigInt(max)) faults.push(`${label} must be less than or equal to ${max}`)
    return { value: cast, faults }
  },
  /** A value that is not a whole number matches nothing, as with ids. */
  cast(value, name) {
    const digits = getDigits(value)
    if (digits === undefined) return null
    const cast = BigInt(digits)
    if (!isInt64(cast)) throw createInvalidValue(name, 'a 64-bit whole number')
    return cast
  },
  yupType: 'mixed',
  search: 'number',
  inExpressions: 'int',
  column: 'biginteger',
  decode: String,
  toJson: (stored) => `"${stored}"`,
  graphql: 'Long',
  jsonSchema: { type: 'string', pattern: '^-?\\d+$' },
  typeScript: { answered: 'string', taken: 'string | number' },
}

/** Undefined for other values than safe integers or decimal digits of 64 bits. */
export function parseBigInteger(value: unknown): bigint | undefined {
  if (typeof value === 'string' && value.trim() !== value) return undefined
  const digits = getDigits(value)
  const integer = digits === undefined ? undefined : BigInt(digits)
  return integer !== undefined && isInt64(integer) ? integer : undefined
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value)
}

function getDigits(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && /^\s*[+-]?\d{1,19}\s*$/.test(text)
    ? text.trim().replace(/^\+/, '')
    : undefined
}
