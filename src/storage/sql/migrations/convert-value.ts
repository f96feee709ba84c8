// Converts a stored value to a column of another type; returns undefined if part of the value would be lost.

import { formatDateTime } from '../../../lib/format-date-time.ts'
import { parseDate, parseDateTime, parseTime } from '../../../lib/iso-date.ts'
import type { PlanValue } from '../../../plan/read-plan.ts'
import type { ColumnType } from '../layout.ts'
import type { SqlValue } from '../statement.ts'

/** Takes a value as a select of the old type returns it, never null; big integers are text. */
export type Converter = (value: SqlValue) => PlanValue | undefined

export function buildConverter(from: ColumnType, to: ColumnType): Converter | undefined {
  if (from === to) return (value) => value as PlanValue
  return converters[from]?.[to]
}

type From = Partial<Record<ColumnType, Converter>>

const number: From = {
  integer: (value) => wholeNumber(Number(value)),
  biginteger: (value) => bigNumber(wholeNumber(Number(value))),
  float: Number,
  decimal: Number,
  boolean: (value) => (value === 0 ? false : value === 1 ? true : undefined),
  text: String,
  json: String,
}

const converters: Partial<Record<ColumnType, From>> = {
  integer: number,
  float: number,
  decimal: number,
  biginteger: {
    integer: exactNumber,
    float: exactNumber,
    decimal: exactNumber,
    text: String,
    json: (value) => exactNumber(value)?.toString(),
  },
  boolean: {
    integer: Number,
    biginteger: (value) => BigInt(Number(value)),
    float: Number,
    decimal: Number,
    text: (value) => String(value !== 0),
    json: (value) => String(value !== 0),
  },
  text: {
    integer: (value) => wholeNumber(getNumber(String(value))),
    biginteger: (value) => getBigInteger(String(value)),
    float: (value) => getNumber(String(value)),
    decimal: (value) => getNumber(String(value)),
    boolean: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
    date: (value) => unchanged(String(value), parsedText(parseDate(String(value)))),
    time: (value) => parsedText(parseTime(String(value))),
    datetime: (value) => getMoment(String(value)),
    json: (value) => document(String(value)),
  },
  date: {
    text: String,
    datetime: (value) => getMoment(`${value}T00:00:00Z`),
    json: (value) => JSON.stringify(value),
  },
  time: { text: String, json: (value) => JSON.stringify(value) },
  datetime: {
    text: (value) => formatDateTime(Number(value)),
    date: (value) => midnight(formatDateTime(Number(value))),
    json: (value) => JSON.stringify(formatDateTime(Number(value))),
  },
  json: {
    text: String,
    integer: (value) => wholeNumber(jsonNumber(String(value))),
    biginteger: (value) => bigNumber(wholeNumber(jsonNumber(String(value)))),
    float: (value) => jsonNumber(String(value)),
    decimal: (value) => jsonNumber(String(value)),
    boolean: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  },
}

function wholeNumber(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined
}

function bigNumber(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value)
}

function exactNumber(value: SqlValue): number | undefined {
  return wholeNumber(Number(value))
}

/**
 * Accepts only the normal form of a number, with optional trailing zeros after the point: `007` remains a
 * text.
 */
function getNumber(text: string): number | undefined {
  const match = /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  const significant = fraction.replace(/0+$/, '')
  const value = Number(text)
  return String(value) === (significant === '' ? whole : `${whole}.${significant}`) ? value : undefined
}

function getBigInteger(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function parsedText(parsed: { readonly value: string } | { readonly fault: string }): string | undefined {
  return 'value' in parsed ? parsed.value : undefined
}

function unchanged(text: string, parsed: string | undefined): string | undefined {
  return parsed === text ? text : undefined
}

/** Accepts a time with a time zone and at most milliseconds. */
function getMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined
  const parsed = parseDateTime(text)
  return 'value' in parsed ? parsed.value : undefined
}

function midnight(moment: string): string | undefined {
  return moment.endsWith('T00:00:00.000Z') && moment.length === 24 ? moment.slice(0, 10) : undefined
}

/** Accepts only JSON objects and lists; other text might not have been meant as JSON. */
function document(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? text : undefined
  } catch {
    return undefined
  }
}

function jsonNumber(text: string): number | undefined {
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' && JSON.stringify(value) === text ? value : undefined
}
