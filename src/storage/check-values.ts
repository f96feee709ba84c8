// Checks values before they are bound: sql.js silently writes an array as a blob, NaN as null, and larger
// integers than 64 bits as text.

import { InvariantError } from '../lib/errors/invariant.ts'
import { isInt64 } from '../lib/int64.ts'
import type { SqlValue } from './sql/statement.ts'

/** Throws for a value that no database can store. */
export function checkValues(values: readonly SqlValue[], placeholders: number): void {
  if (values.length !== placeholders) {
    throw new InvariantError(`${values.length} values for ${placeholders} placeholders`)
  }
  for (let index = 0; index < values.length; index++) {
    const fault = buildFault(values[index])
    if (fault !== undefined) throw new InvariantError(`the value of placeholder ${index + 1} is ${fault}`)
  }
}

function buildFault(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.includes('\0') ? 'text with a NUL in it' : undefined
    case 'number':
      return Number.isFinite(value) ? undefined : 'not a finite number'
    case 'bigint':
      return !isInt64(value) ? 'a whole number of more than 64 bits' : undefined
    case 'object':
      return value === null || value instanceof Uint8Array ? undefined : 'an object'
    default:
      return `of the type ${typeof value}`
  }
}
