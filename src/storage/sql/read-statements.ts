// A read as statements for the entries, their count, and each populated field.

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
  /** Rows `[id, …columns]`, or `[parent, id, …columns]` for a populated field. */
  readonly rows: BoundStatement
  readonly count: BoundStatement
  /** Undefined for most reads. */
  readonly search: CompiledSearch | undefined
  readonly lookups: readonly CompiledLookup[]
  readonly populate: readonly PopulateStatements[]
}

/**
 * One for a relation or component, one for each component of a zone or content-type of a polymorphic
 * relation.
 */
export interface PopulateStatements {
  readonly populate: PopulatePlan
  /** Rows of zones and polymorphic relations are `[parent, place, id, …columns]`; `place` gives their common order. */
  readonly levels: readonly LevelStatements[]
  /**
   * For a stored polymorphic relation: returns the uids of the linked content-types, so that only these are
   * read. Security: content-types with a condition are always read, because response times would reveal links
   * to hidden entries.
   */
  readonly present: BoundStatement | undefined
}

interface PageStatement extends BoundStatement {
  readonly several: boolean
}

export interface LevelStatements {
  readonly plan: ReadPlan
  readonly rows: BoundStatement
  /**
   * For embedded databases: reads the rows of all pages if they are few, because numbering the rows of each
   * parent takes four times as long as reading them.
   */
  readonly few: BoundStatement | undefined
  /** Reads the page of one parent, or of several where the database can. */
  readonly page: PageStatement | undefined
  readonly populate: readonly PopulateStatements[]
}

/** In bytes. */
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
