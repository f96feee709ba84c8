// Writes the dates in filters of code as text, as requests send them.

import { isRecord } from './is-record.ts'

/** A copy. */
export function writeDates(filters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, writeDate(value)]))
}

function writeDate(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(writeDate)
  return isRecord(value) ? writeDates(value) : value
}
