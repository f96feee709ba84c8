// The result of a read, before an API turns it into bytes or objects: rows as the database returned them, and the
// members of each entry.

import type { Page, ReadPlan } from '../../plan/read-plan.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'

/**
 * One entry or component: its columns follow its id, in the order of the plan's columns. An entry that several others
 * of one level refer to exists once and is in the `members` of each of them.
 */
export interface EntryRow {
  readonly row: SqlRow
  /** The index of the id in the row. */
  readonly at: number
  /** One value for each of the plan's `populate`, in its order. */
  readonly populated: PopulatedValue[]
  /** How often the answer shows the entry. */
  shown: number
  /** The texts that encoders made of the entry, if it is shown more than once; see `rest/entry-encoder.ts`. */
  written: EncodedText | undefined
}

/** An element of a linked list, which needs less memory than one map per entry. */
interface EncodedText {
  readonly encode: object
  readonly text: string
  readonly next: EncodedText | undefined
}

/** A component of a zone, or an entry that a polymorphic relation points at. */
export interface MixedRow {
  /** Index of the member's plan that read the entry. */
  readonly level: number
  readonly entry: EntryRow
}

export type PopulatedValue = EntryRow | null | readonly EntryRow[] | readonly MixedRow[]

export interface ReadResult {
  readonly plan: ReadPlan
  readonly entries: readonly EntryRow[]
  readonly page: Page | undefined
  /** How many entries match in total; undefined when the total was not asked for. */
  readonly total: number | undefined
  /** The cursor of the next page, of a list that was asked for by cursor; null behind the last entry. */
  readonly next?: string | null | undefined
}

export function getId(entry: EntryRow): number {
  return Number(entry.row[entry.at])
}

/** Characters that a value needs in the answer besides its own: a rough figure for its name and punctuation. */
const NAME_LENGTH = 16

/** Estimates how many characters the answer needs for the row. */
export function getCharacters(row: SqlRow): number {
  let characters = row.length * NAME_LENGTH
  for (let index = 0; index < row.length; index++) {
    const value = row[index]
    if (typeof value === 'string') characters += value.length
  }
  return characters
}
