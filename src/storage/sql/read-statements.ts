// A read as statements: one for the entries, one for their number, one for each populated level.

import { getFacts } from '../../plan/plan-facts.ts'
import type { PopulatePlan, ReadPlan } from '../../plan/read-plan.ts'
import type { CompiledLookup } from './compile-lookups.ts'
import type { CompiledSearch } from './compile-search.ts'
import type { BoundValue } from './parameter.ts'
import type { Statement } from './statement.ts'

export interface BoundStatement {
  readonly statement: Statement
  readonly parameters: readonly BoundValue[]
}

export interface ReadStatements {
  readonly plan: ReadPlan
  /** Rows `[id, …columns]`, or `[parent, id, …columns]` for a populated level. */
  readonly rows: BoundStatement
  /** Returns one row with one number: how many entries match in total. */
  readonly count: BoundStatement
  /** The query that chooses indexes; undefined for most reads. */
  readonly search: CompiledSearch | undefined
  /** Lookups before the read; empty for most reads. */
  readonly lookups: readonly CompiledLookup[]
  readonly populate: readonly PopulateStatements[]
}

/**
 * The levels below one populated member: one for a relation or component, one for each component of a zone or
 * content-type of a polymorphic relation.
 */
export interface PopulateStatements {
  readonly populate: PopulatePlan
  /** Rows of zones and polymorphic relations are `[parent, place, id, …columns]`; `place` gives their common order. */
  readonly levels: readonly LevelStatements[]
  /**
   * For a stored polymorphic relation: returns the uids of the linked content-types, so that only their levels are
   * read. Of a level with a condition that says nothing: links to entries that the condition hides would be noticed by
   * the time that the answer takes. Undefined where all levels have one.
   */
  readonly present: BoundStatement | undefined
}

interface PageStatement extends BoundStatement {
  /** Whether one statement takes several parents. */
  readonly several: boolean
}

export interface LevelStatements {
  readonly plan: ReadPlan
  readonly rows: BoundStatement
  /**
   * For pages of members, where a second statement costs nothing: reads the members of all pages if they are few.
   * Numbering the rows of each parent takes four times as long as reading them.
   */
  readonly few: BoundStatement | undefined
  /**
   * For pages of members that can be read one by one: reads the page of one parent, or, of a database that can, the
   * page of each of several parents.
   */
  readonly page: PageStatement | undefined
  readonly populate: readonly PopulateStatements[]
}

/** The memory that a compiled read needs, in bytes: its plan, and the texts of its statements. */
export function estimateBytes({ plan, rows, count, populate }: ReadStatements): number {
  const texts = rows.statement.text.length + count.statement.text.length
  return getFacts(plan).weight + texts + weightOfTexts(populate)
}

function weightOfTexts(populate: readonly PopulateStatements[]): number {
  let length = 0
  for (const { levels } of populate) {
    for (const { rows, few, page, populate: below } of levels) {
      for (const bound of [rows, few, page]) length += bound?.statement.text.length ?? 0
      length += weightOfTexts(below)
    }
  }
  return length
}
