// Converts stored values to and from the JSON of archives. Archives are not trusted: a value that its column
// cannot hold is refused.

import { formatDateTime } from '../../lib/format-date-time.ts'
import { parseDate, parseDateTime, parseTime } from '../../lib/iso-date.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { ColumnType } from './layout.ts'
import type { SqlValue } from './statement.ts'

export type ArchiveValue = string | number | boolean | null

export function toArchive(type: ColumnType, value: SqlValue): ArchiveValue {
  return value === null ? null : forms[type].write(value)
}

/** Returns undefined if the column cannot hold the value. */
export function decodeArchiveValue(type: ColumnType, value: unknown): PlanValue | undefined {
  return value === null ? null : forms[type].read(value)
}

interface Form {
  readonly write: (value: SqlValue) => ArchiveValue
  readonly read: (value: unknown) => PlanValue | undefined
}

const whole: Form = {
  write: Number,
  read: (value) => (Number.isSafeInteger(value) ? (value as number) : undefined),
}
const number: Form = {
  write: Number,
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
}
const text: Form = {
  write: String,
  read: (value) => (typeof value === 'string' && !value.includes('\0') ? value : undefined),
}

const forms: Readonly<Record<ColumnType, Form>> = {
  id: whole,
  reference: whole,
  order: number,
  text,
  integer: whole,
  biginteger: {
    write: String,
    read: (value) => (typeof value === 'string' ? getBigInteger(value) : undefined),
  },
  float: number,
  decimal: number,
  boolean: {
    write: (value) => Number(value) !== 0,
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  date: { write: String, read: (value) => parsedBy(parseDate, value) },
  time: { write: String, read: (value) => parsedBy(parseTime, value) },
  datetime: {
    write: (value) => momentText(Number(value)),
    read(value) {
      const parsed = parseDateTime(value)
      return 'value' in parsed ? parsed.value : undefined
    },
  },
  json: {
    write: String,
    read: (value) =>
      typeof value === 'string' && !value.includes('\0') && isJson(value) ? value : undefined,
  },
}

/** The text of some years does not parse back to the same time. */
function momentText(moment: number): ArchiveValue {
  const text = formatDateTime(moment)
  const parsed = parseDateTime(text)
  return 'value' in parsed && parsed.value === moment ? text : moment
}

function parsedBy<T extends PlanValue>(
  parse: (text: string) => { readonly value: T } | { readonly fault: string },
  value: unknown,
): T | undefined {
  const parsed = typeof value === 'string' ? parse(value) : undefined
  return parsed !== undefined && 'value' in parsed ? parsed.value : undefined
}

function getBigInteger(value: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(value)) return undefined
  const big = BigInt(value)
  return BigInt.asIntN(64, big) === big ? big : undefined
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
