// Whether a value written in the file can be a value of a scalar attribute: one answer for every type. Only what the
// value is, not the attribute's bounds.

import { isInt64 } from '../util/int64.ts'
import { isEmail } from '../util/is-email.ts'
import { parseDate, parseDateTime, parseTime } from '../util/iso-date.ts'
import type { ScalarType } from './attribute.ts'

const UID_CHARACTERS = /^[A-Za-z0-9\-_.~]*$/

/** What a value of the type is instead, e.g. `a whole number`; undefined when the value is one. */
export function wantedKind(type: ScalarType, value: unknown): string | undefined {
  return wanted[type](value)
}

type Want = (value: unknown) => string | undefined

const wanted = {
  string: text,
  text,
  richtext: text,
  password: text,
  enumeration: text,
  uid: (value) =>
    typeof value === 'string' && UID_CHARACTERS.test(value)
      ? undefined
      : 'text of letters, digits and "-_.~"',
  email: (value) => (typeof value === 'string' && isEmail(value) ? undefined : 'an email address'),
  integer: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
  float: number,
  decimal: number,
  biginteger: (value) =>
    parseBigInteger(value) === undefined ? 'a whole number of at most 64 bits' : undefined,
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  date: (value) =>
    typeof value === 'string' && 'value' in parseDate(value) ? undefined : 'a date such as 2024-03-01',
  time: (value) =>
    typeof value === 'string' && 'value' in parseTime(value) ? undefined : 'a time such as 18:30:00',
  datetime: moment,
  timestamp: moment,
  json: () => undefined,
  blocks: (value) => (Array.isArray(value) ? undefined : 'a list of blocks'),
} as const satisfies Record<ScalarType, Want>

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'text'
}

function number(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'
}

function moment(value: unknown): string | undefined {
  return 'value' in parseDateTime(value) ? undefined : 'a date and time such as 2024-03-01T18:30:00Z'
}

/** From a safe integer or decimal digits; undefined when it is neither or has more than 64 bits. */
export function parseBigInteger(value: unknown): bigint | undefined {
  const digits = Number.isSafeInteger(value) ? String(value) : value
  if (typeof digits !== 'string' || !/^[+-]?\d{1,19}$/.test(digits)) return undefined
  const integer = BigInt(digits.replace(/^\+/, ''))
  return isInt64(integer) ? integer : undefined
}

/** A value as a diagnostic shows it, cut where it is long. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
