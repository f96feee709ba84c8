// Prepares reads of one entry by id for use within a transaction.

import type { Access } from '../../model/access.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'
import type { Query } from '../../plan/read-plan.ts'
import type { Work } from '../../storage/database.ts'
import type { EntryRow } from './entry.ts'
import type { BudgetPart, RequestBudget } from './request-budget.ts'

export interface EntryReader {
  readonly query: Query
  /** Throws ValidationError if the read costs more than one response may. */
  charge(budget: RequestBudget): void
  readWork(id: number, budget?: BudgetPart): Work<EntryRow | undefined>
}

/**
 * `ruled`: whether the caller's rules decide if the entry is visible; they always decide about its populated
 * fields.
 */
export type PrepareEntry = (
  type: ContentType,
  params: Params,
  access: Access,
  hideDrafts: boolean,
  ruled?: boolean,
) => EntryReader
