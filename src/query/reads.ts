// Defines prepared reads: content-type and params, compiled once and run any number of times.

import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { AggregateInput, AggregatePlan } from '../plan/aggregate-plan.ts'
import type { NumberedPage, Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { Page, ReadPlan } from '../plan/read-plan.ts'
import type { Version } from './dependencies.ts'
import type { ReadResult } from './rows/entry.ts'
import type { RequestBudget } from './rows/request-budget.ts'
import type { EntryObject } from './rows/to-object.ts'

export interface ReadInput {
  /** The entry's numeric id or `documentId`. */
  readonly id?: number | string | undefined
  /** Overrides the page of the params, except for lists paged by cursor. */
  readonly pagination?: NumberedPage | undefined
}

export interface ReadOptions {
  readonly mayLag?: boolean | undefined
  /** Set if several reads make up one response and share its budget. */
  readonly budget?: RequestBudget | undefined
}

export interface PreparedRead {
  readonly plan: ReadPlan
  /**
   * Must be called before `run`. Holds nothing of the request, because it is cached as long as the result.
   */
  dependencies(input?: ReadInput): Version
  /**
   * Returns one entry as a list of one; the list is empty if the id does not exist or is hidden from the
   * caller. Rejects with ValidationError if the result exceeds a response's limits.
   */
  run(input?: ReadInput, options?: ReadOptions): ReadResult | Promise<ReadResult>
}

/** `avg: { rating: 4.5 }`; `count` is a number if entries are counted. */
export interface AggregateRow {
  readonly group?: Readonly<Record<string, unknown>>
  readonly [fn: string]: unknown
}

export interface AggregateResult {
  readonly rows: readonly AggregateRow[]
  readonly page: Page
  /** The number of groups. */
  readonly total: number
}

export interface PreparedAggregate {
  readonly plan: Pick<AggregatePlan, 'entries'>
  /** Must be called before `run`. */
  dependencies(): Version
  run(options?: ReadOptions): Promise<AggregateResult>
}

export type PrepareAggregate = (
  type: ContentType,
  params: Params,
  aggregate: AggregateInput,
  access: Access,
  limits?: PageLimits,
) => PreparedAggregate

export interface Reads {
  /** Without `limits` (an API's page limits): the page of `params.pagination`, or the whole list. */
  prepareFind(type: ContentType, params: Params, access: Access, limits?: PageLimits): PreparedRead
  prepareFindOne(type: ContentType, params: Params, access: Access, hideDrafts: boolean): PreparedRead
  /** For content-types with documents. */
  prepareFindDocument(type: ContentType, params: Params, access: Access): PreparedRead
  readonly prepareAggregate: PrepareAggregate
  scans(maxRows: number): readonly string[]
  readonly compiledPlans: number
}

/** Permissions are checked only if `access` is given. */
export interface Finds {
  findAll(type: ContentType, params: Params, access?: Access): Promise<readonly EntryObject[]>
  findFirst(type: ContentType, params: Params, access?: Access): Promise<EntryObject | undefined>
  /** Drafts are included. */
  findOne(type: ContentType, id: number, params: Params, access?: Access): Promise<EntryObject | undefined>
  /** Ignores the pagination of the params. */
  count(type: ContentType, params: Params, access?: Access): Promise<number>
  exists(type: ContentType, params: Params, access?: Access): Promise<boolean>
}
