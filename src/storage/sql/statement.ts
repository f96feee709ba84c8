// SQL as the databases run it: text compiled once per shape, values passed with each run.

import type { StoredValue } from '../../attribute-types/attribute-type.ts'

/** A value that may be bound. The dialects' encoders have turned booleans into 0/1 for SQLite before. */
export type SqlValue = StoredValue | null

/** One row as a list: column n of the select list at index n. */
export type SqlRow = readonly SqlValue[]

/** Compiled text with placeholders in the dialect's form. Prepared at most once per connection and cached. */
export interface Statement {
  readonly text: string
  /** Whether the statement returns rows. */
  readonly returns: boolean
  /** Whether it looks at few rows, however many there are. */
  readonly short?: true
}

/** Characters. */
export const MAX_STATEMENT_LENGTH = 1_000_000

export function statement(text: string, returns: boolean): Statement {
  return { text, returns }
}
