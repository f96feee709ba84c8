// A stored value <-> what an archive writes for it: JSON that says the same on every database. What comes out of an
// archive is believed in nothing: a value that its column cannot hold is refused.

import type { PlanValue } from '../plan/read-plan.ts'
import { formatDateTime } from '../util/format-date-time.ts'
import { parseDate, parseDateTime, parseTime } from '../util/iso-date.ts'
import type { ColumnType } from './layout.ts'
import type { SqlValue } from './statement.ts'

export type ArchiveValue = string | number | boolean | null

/** Takes what a select of the column gives. */
export function toArchive(type: ColumnType, value: SqlValue): ArchiveValue {
  if (value === null) return null
  switch (type) {
    case 'boolean':
      return Number(value) !== 0
    case 'datetime':
      return momentText(Number(value))
    case 'id':
    case 'reference':
    case 'integer':
    case 'float':
    case 'decimal':
    case 'order':
      return Number(value)
    default:
      return String(value)
  }
}

/** Undefined where the column cannot hold it. */
export function fromArchive(type: ColumnType, value: unknown): PlanValue | undefined {
  return value === null ? null : readers[type](value)
}

type Reader = (value: unknown) => PlanValue | undefined

const whole: Reader = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined)
const number: Reader = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const text: Reader = (value) => (typeof value === 'string' && !value.includes('\0') ? value : undefined)

const readers: Readonly<Record<ColumnType, Reader>> = {
  id: whole,
  reference: whole,
  text,
  integer: whole,
  biginteger: (value) => (typeof value === 'string' ? bigIntegerOf(value) : undefined),
  float: number,
  decimal: number,
  order: number,
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => parsedBy(parseDate, value),
  time: (value) => parsedBy(parseTime, value),
  datetime: (value) => {
    const parsed = parseDateTime(value)
    return 'value' in parsed ? parsed.value : undefined
  },
  json: (value) =>
    typeof value === 'string' && text(value) !== undefined && isJson(value) ? value : undefined,
}

/** Some years have no text that is read back as they were. */
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

function bigIntegerOf(value: string): bigint | undefined {
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
