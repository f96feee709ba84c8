// What a read brings back, before an API makes bytes or objects of it: rows as the database gave them, members
// put beside the entries they belong to.

import type { Page, ReadPlan } from '../plan/read-plan.ts'
import type { SqlRow } from '../sql/statement.ts'

/**
 * One entry or component: its columns start behind its id, in the order of the plan's columns. An entry that several
 * others of one level refer to exists once and stands in each of their `members`.
 */
export interface EntryRow {
  readonly row: SqlRow
  /** Where in the row the id stands. */
  readonly at: number
  /** One value for each of the plan's `populate`, in its order. */
  readonly members: MemberValue[]
  /** How often the answer shows it. */
  shown: number
  /** What encoders wrote for it, where it is written more than once; see `encodeOnce`. */
  written: Written | undefined
}

/** One of few: a list takes less than a map, of which there would be as many as entries. */
export interface Written {
  readonly encode: object
  readonly text: string
  readonly next: Written | undefined
}

/** A component of a zone, or an entry that a polymorphic relation points at. */
export interface MixedRow {
  /** Which of the member's plans read it. */
  readonly level: number
  readonly entry: EntryRow
}

export type MemberValue = EntryRow | null | readonly EntryRow[] | readonly MixedRow[]

export interface Found {
  readonly plan: ReadPlan
  readonly entries: readonly EntryRow[]
  readonly page: Page | undefined
  /** How many match without the page; undefined when nobody asked. */
  readonly total: number | undefined
}

export function idOf(entry: EntryRow): number {
  return Number(entry.row[entry.at])
}
