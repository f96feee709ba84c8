// SQL as the databases take it: text made once per shape, values given with each run.

import type { StoredValue } from '../attribute-types/attribute-type.ts'

/** What may be bound. Booleans are 0/1 on SQLite; the dialects' encoders see to it before. */
export type SqlValue = StoredValue | null

/** One row, positional: column n of the statement's select list at index n. */
export type SqlRow = readonly SqlValue[]

/** Compiled text with placeholders in the dialect's form. Prepared at most once per connection and kept. */
export interface Statement {
  readonly text: string
  /** Whether it returns rows. */
  readonly returns: boolean
}

export function statement(text: string, returns: boolean): Statement {
  return { text, returns }
}
