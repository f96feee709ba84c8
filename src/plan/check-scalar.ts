// A scalar value of a payload -> the value to store, or what is wrong with it in Strapi's words. One answer for every type.

import type { ScalarAttribute, ScalarType } from '../model/attribute.ts'
import { int64Bounds, isInt64 } from '../util/int64.ts'
import { isEmail } from '../util/is-email.ts'
import { type Parsed, parseDate, parseDateTime, parseTime } from '../util/iso-date.ts'
import { compileLinearRegex } from '../util/linear-regex.ts'
import { type BlockFault, checkBlocks } from './check-blocks.ts'
import type { PlanValue } from './read-plan.ts'
import { shownValue } from './shown-value.ts'

export interface Checked {
  readonly value: PlanValue
  /** Each gets the value's path, or one below it. */
  readonly faults: readonly ScalarFault[]
  /** How many faults there are beyond those. */
  readonly moreFaults?: number
  /** A malformed date or time: Strapi reports it alone, after everything else is right. */
  readonly dateFault?: string
}

/** A message, or one with the steps that lead to its place within the value. */
export type ScalarFault = string | BlockFault

type Check = (
  attribute: ScalarAttribute,
  label: string,
  value: unknown,
  draft: boolean,
  mostFaults: number,
) => Checked

const checks = {
  string: text,
  text,
  richtext: text,
  password: text,
  email,
  uid,
  enumeration,
  integer: number,
  float: number,
  decimal: number,
  biginteger,
  boolean,
  // An object of JSON may have a `toString` that is no function.
  date: moment((value) => parseDate(typeof value === 'object' ? '' : String(value))),
  time: moment(timeOfDay),
  datetime: moment(parseDateTime),
  timestamp: moment(parseDateTime),
  json,
  blocks,
} as const satisfies Record<ScalarType, Check>

/**
 * `label` is the value's path as Strapi writes it: `boxes[1].title`. `draft` relaxes minLength. Of a value with much in it
 * the first `mostFaults` are said.
 */
export function checkScalar(
  attribute: ScalarAttribute,
  label: string,
  value: unknown,
  draft: boolean,
  mostFaults: number,
): Checked {
  return checks[attribute.type](attribute, label, value, draft, mostFaults)
}

const UID = /^[A-Za-z0-9\-_.~]*$/

function good(value: PlanValue): Checked {
  return { value, faults: [] }
}

function bad(...faults: ScalarFault[]): Checked {
  return { value: null, faults }
}

/** The sentence for a value of the wrong type, with the value shown as Strapi shows it, unless it is secret. */
export function wrongType(label: string, type: string, value: unknown, secret = false): string {
  const hidden = secret && value !== null
  return `${label} must be a \`${type}\` type, but the final value was: \`${hidden ? '***' : shownValue(value)}\`.`
}

function lengthFaults(attribute: ScalarAttribute, label: string, value: string, draft: boolean): string[] {
  const { minLength, maxLength } = attribute
  const faults: string[] = []
  if (minLength !== undefined && !draft && value.length < minLength) {
    faults.push(`${label} must be at least ${minLength} characters`)
  }
  if (maxLength !== undefined && value.length > maxLength) {
    faults.push(`${label} must be at most ${maxLength} characters`)
  }
  return faults
}

function text(attribute: ScalarAttribute, label: string, value: unknown, draft: boolean): Checked {
  if (typeof value !== 'string') {
    return bad(wrongType(label, 'string', value, attribute.private))
  }
  if (value.includes('\0')) return bad(`${label} must not contain NUL characters`)
  const faults = lengthFaults(attribute, label, value, draft)
  if (attribute.regex !== undefined && value !== '' && !matches(attribute, attribute.regex, value)) {
    faults.push(`${label} must match the following: "/${attribute.regex}/"`)
  }
  return { value, faults }
}

const compiled = new WeakMap<ScalarAttribute, (value: string) => boolean>()

/** RE2 runs in linear time; what it cannot express was reported at load and runs on short values only. */
function matches(attribute: ScalarAttribute, source: string, value: string): boolean {
  let test = compiled.get(attribute)
  if (test === undefined) {
    test = compileRegex(source)
    compiled.set(attribute, test)
  }
  return test(value)
}

const LONGEST_FOR_BACKTRACKING = 256

function compileRegex(source: string): (value: string) => boolean {
  try {
    return compileLinearRegex(source)
  } catch {
    const backtracking = new RegExp(source)
    return (value) => value.length <= LONGEST_FOR_BACKTRACKING && backtracking.test(value)
  }
}

function email(attribute: ScalarAttribute, label: string, value: unknown, draft: boolean): Checked {
  if (typeof value !== 'string') return bad(wrongType(label, 'string', value))
  if (value === '') return bad(`${label} cannot be empty`)
  if (!isEmail(value)) return bad(`${label} must be a valid email`)
  return text(attribute, label, value, draft)
}

function uid(attribute: ScalarAttribute, label: string, value: unknown, draft: boolean): Checked {
  const checked = text(attribute, label, value, draft)
  if (checked.faults.length > 0 || typeof value !== 'string') return checked
  return UID.test(value) ? checked : bad(`${label} must match the following: "/^[A-Za-z0-9-_.~]*$/"`)
}

function enumeration(attribute: ScalarAttribute, label: string, value: unknown): Checked {
  const values = attribute.enum ?? []
  // Strapi's list ends with an empty value.
  return typeof value === 'string' && values.includes(value)
    ? good(value)
    : bad(`${label} must be one of the following values: ${values.join(', ')}, `)
}

function number(attribute: ScalarAttribute, label: string, value: unknown): Checked {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const cast =
    typeof single === 'number' ? single : typeof single === 'string' ? fromText(single) : Number.NaN
  if (!Number.isFinite(cast)) {
    return bad(
      `${label} must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${shownValue(value)}\`).`,
    )
  }
  const faults: string[] = []
  if (attribute.type === 'integer') {
    if (!Number.isInteger(cast)) faults.push(`${label} must be an integer`)
    else if (!Number.isSafeInteger(cast)) {
      faults.push(`${label} must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`)
    }
  }
  const { min, max } = attribute
  if (min !== undefined && cast < Number(min)) faults.push(`${label} must be greater than or equal to ${min}`)
  if (max !== undefined && cast > Number(max)) faults.push(`${label} must be less than or equal to ${max}`)
  // -0 and 0 are one value; the sign would come back from the database.
  return { value: cast === 0 ? 0 : cast, faults }
}

function fromText(value: string): number {
  return value.trim() === '' ? Number.NaN : Number(value)
}

function biginteger(attribute: ScalarAttribute, label: string, value: unknown): Checked {
  const digits = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof digits !== 'string' || !/^[+-]?\d{1,19}$/.test(digits.trim())) {
    return bad(
      `${label} must be a whole number of at most 64 bits, as text when it is beyond 9007199254740991`,
    )
  }
  const cast = BigInt(digits.trim().replace(/^\+/, ''))
  if (!isInt64(cast)) {
    return bad(`${label} must be ${int64Bounds}`)
  }
  const { min, max } = attribute
  const faults: string[] = []
  if (min !== undefined && cast < BigInt(min)) faults.push(`${label} must be greater than or equal to ${min}`)
  if (max !== undefined && cast > BigInt(max)) faults.push(`${label} must be less than or equal to ${max}`)
  return { value: cast, faults }
}

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [1, true],
  [false, false],
  ['false', false],
  ['0', false],
  [0, false],
])

function boolean(_: ScalarAttribute, label: string, value: unknown): Checked {
  const cast = BOOLEANS.get(value)
  return cast === undefined ? bad(wrongType(label, 'boolean', value)) : good(cast)
}

function timeOfDay(value: unknown): Parsed<string> {
  return typeof value === 'string' ? parseTime(value) : { fault: `Expected a string, got a ${typeof value}` }
}

function moment(parse: (value: unknown) => Parsed<string | number>): Check {
  return (_attribute, _label, value) => {
    const parsed = parse(value)
    return 'fault' in parsed ? { value: null, faults: [], dateFault: parsed.fault } : good(parsed.value)
  }
}

function blocks(
  attribute: ScalarAttribute,
  label: string,
  value: unknown,
  draft: boolean,
  mostFaults: number,
): Checked {
  if (!Array.isArray(value)) return bad(wrongType(label, 'array', value))
  const { faults, more } = checkBlocks(label, value, mostFaults)
  return faults.length > 0 ? { value: null, faults, moreFaults: more } : json(attribute, label, value, draft)
}

/** Any JSON value, kept as its text. */
function json(_: ScalarAttribute, label: string, value: unknown, _draft: boolean): Checked {
  const written = JSON.stringify(value)
  return written === undefined ? bad(`${label} must be a JSON value`) : good(written)
}
