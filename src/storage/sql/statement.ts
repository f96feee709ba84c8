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
  readonly answer?: ChangeAnswer | undefined
}

/**
 * The rows of a change where the database has no RETURNING: one with the id of the row that was inserted, or one for each row
 * that the change found, with the last value of the statement.
 */
export type ChangeAnswer = 'inserted' | 'found'

/** Characters. */
export const MAX_STATEMENT_LENGTH = 1_000_000

export function statement(text: string, returns: boolean | ChangeAnswer): Statement {
  return typeof returns === 'boolean' ? { text, returns } : { text, returns: true, answer: returns }
}
