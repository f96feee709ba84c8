// SQL as the databases run it: text compiled once per shape, values passed with each run.

import type { StoredValue } from '../../attribute-types/attribute-type.ts'

/** Booleans are already encoded as 0/1 for SQLite. */
export type SqlValue = StoredValue | null

/** One row as a list: column n of the select list at index n. */
export type SqlRow = readonly SqlValue[]

/** Prepared at most once per connection and cached. */
export interface Statement {
  readonly text: string
  readonly returns: boolean
  readonly short?: true
}

/** Characters. */
export const MAX_STATEMENT_LENGTH = 1_000_000

export function statement(text: string, returns: boolean): Statement {
  return { text, returns }
}
