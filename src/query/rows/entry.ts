// Defines the result of a read before an API encodes it: database rows and their populated fields.

import type { Page, ReadPlan } from '../../plan/read-plan.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'

/**
 * Columns follow the id in the plan's order. An entry that several parents of one depth refer to exists once
 * and is shared.
 */
export interface EntryRow {
  readonly row: SqlRow
  /** The index of the id in the row. */
  readonly at: number
  /** In the order of the plan's `populate`. */
  readonly populated: PopulatedValue[]
  shown: number
  /** Encoded text, cached if the entry is shown more than once; see `rest/entry-encoder.ts`. */
  written: EncodedText | undefined
  /** By attribute, with the terms of the search marked; undefined unless the plan asks for them. */
  highlights: HighlightedTexts | undefined
}

type HighlightedTexts = Readonly<Record<string, string>>

/** An element of a linked list, which needs less memory than one map per entry. */
interface EncodedText {
  readonly encode: object
  readonly text: string
  readonly next: EncodedText | undefined
}

/** A component of a dynamic zone, or an entry at the end of a polymorphic relation. */
export interface MixedRow {
  /** Index of the populated field's plan that read the entry. */
  readonly level: number
  readonly entry: EntryRow
}

export type PopulatedValue = EntryRow | null | readonly EntryRow[] | readonly MixedRow[]

export interface ReadResult {
  readonly plan: ReadPlan
  readonly entries: readonly EntryRow[]
  readonly page: Page | undefined
  /** Undefined when the total was not requested. */
  readonly total: number | undefined
  /** The cursor of the next page; null after the last entry. */
  readonly next?: string | null | undefined
}

export function getId(entry: EntryRow): number {
  return Number(entry.row[entry.at])
}

/** The entry's version, from 1; undefined if the plan does not read it. */
export function getVersion(
  { columns, locales, keyset, revision }: ReadPlan,
  { row, at }: EntryRow,
): number | undefined {
  if (revision === undefined) return undefined
  const others = columns.length + (locales === undefined ? 0 : 1) + (keyset?.attributes.length ?? 0)
  return Number(row[at + 1 + others] ?? 0) + 1
}

/** A rough figure for the characters of a value's name and punctuation. */
const NAME_LENGTH = 16

export function getCharacters(row: SqlRow): number {
  let characters = row.length * NAME_LENGTH
  for (let index = 0; index < row.length; index++) {
    const value = row[index]
    if (typeof value === 'string') characters += value.length
  }
  return characters
}
