// A filter's value as the attribute's type takes it, from text or JSON: a plan value or a 400.

import { ApiError } from '../errors/api-error.ts'
import type { ScalarAttribute, ScalarType } from '../model/attribute.ts'
import { isInt64 } from '../util/int64.ts'
import { parseDate, parseDateTime, parseTime } from '../util/iso-date.ts'
import { planLimits } from './planning.ts'
import type { PlanValue } from './read-plan.ts'

type Cast = (value: unknown, attribute: ScalarAttribute) => PlanValue

/** One answer for every type; `password` never gets here, because it is private. */
const casts = {
  string: text,
  text,
  richtext: text,
  email: text,
  password: text,
  uid: text,
  enumeration: text,
  blocks: jsonText,
  json: jsonText,
  integer: number,
  float: number,
  decimal: number,
  biginteger,
  boolean,
  date: (value) => parsed(parseDate(String(value))),
  time: (value) => parsed(parseTime(String(value))),
  datetime: (value) => parsed(parseDateTime(value)),
  timestamp: (value) => parsed(parseDateTime(value)),
} as const satisfies Record<ScalarType, Cast>

export function castValue(attribute: ScalarAttribute, value: unknown): PlanValue {
  assertScalar(attribute.name, value)
  if (value === null) return null
  if (attribute.name === 'id') return castId(value)
  return casts[attribute.type](value, attribute)
}

/** For operators that compare any type as text (`$contains` and its kin). */
export function castText(attribute: ScalarAttribute, value: unknown): PlanValue {
  assertScalar(attribute.name, value)
  return value === null ? null : String(value)
}

function assertScalar(name: string, value: unknown): void {
  if (value !== null && typeof value === 'object') throw invalidValue(name, 'a single value')
  if (typeof value === 'string') {
    if (value.length > planLimits.valueLength) {
      throw new ApiError(
        'ValidationError',
        `The value for ${name} is longer than ${planLimits.valueLength} characters`,
      )
    }
    if (value.includes('\0')) throw invalidValue(name, 'text without NUL characters')
  }
}

/** An id is compared as a number; what is none matches nothing (a bound null does). */
export function castId(value: unknown): number | null {
  const id =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
  return Number.isSafeInteger(id) ? id : null
}

function text(value: unknown): string {
  return String(value)
}

function jsonText(value: unknown): string {
  return JSON.stringify(value)
}

/** No stored number is infinite: such a value matches nothing. */
function number(value: unknown, attribute: ScalarAttribute): number | null {
  const cast = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof cast !== 'number' || Number.isNaN(cast)) throw invalidValue(attribute.name, 'a number')
  return Number.isFinite(cast) ? cast : null
}

/** What is no whole number matches nothing, as an id that is none. */
function biginteger(value: unknown, attribute: ScalarAttribute): bigint | null {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof digits !== 'string' || !/^\s*[+-]?\d{1,19}\s*$/.test(digits)) return null
  const cast = BigInt(digits.trim().replace(/^\+/, ''))
  if (!isInt64(cast)) throw invalidValue(attribute.name, 'a 64-bit whole number')
  return cast
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['t', true],
  ['1', true],
  [1, true],
  [false, false],
  ['false', false],
  ['f', false],
  ['0', false],
  [0, false],
])

function boolean(value: unknown, attribute: ScalarAttribute): boolean {
  const cast = BOOLEANS.get(value)
  if (cast === undefined) throw invalidValue(attribute.name, 'true or false')
  return cast
}

function parsed(outcome: { readonly value: PlanValue } | { readonly fault: string }): PlanValue {
  if ('fault' in outcome) throw new ApiError('ValidationError', outcome.fault)
  return outcome.value
}

function invalidValue(name: string, expected: string): ApiError {
  return new ApiError('ValidationError', `Invalid value for ${name}: expected ${expected}`)
}
