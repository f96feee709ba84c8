// The reads of content: content-type and params -> a prepared read, to be run any number of times.

import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { NumberedPage, Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { Version } from './dependencies.ts'
import type { ReadResult } from './rows/entry.ts'
import type { RequestBudget } from './rows/request-budget.ts'
import type { EntryObject } from './rows/to-object.ts'

/** The input of a prepared read. */
export interface ReadInput {
  /** Of one entry: its number, or the documentId. */
  readonly id?: number | string | undefined
  /** Another page than that of the params, of a list that is not asked for by cursor. */
  readonly pagination?: NumberedPage | undefined
}

export interface ReadOptions {
  /** Whether a slightly older state of the database is acceptable. */
  readonly mayLag?: boolean | undefined
  /** Set if several reads make up one answer and share its budget. */
  readonly budget?: RequestBudget | undefined
}

/** A list, or one entry by its id: planned and compiled, to be run any number of times. */
export interface PreparedRead {
  readonly plan: ReadPlan
  /**
   * What a result is read from, to be asked before `run`. The version holds nothing of the request, because it is cached as
   * long as the result.
   */
  dependencies(input?: ReadInput): Version
  /**
   * One entry is a list of one, and an empty list if no entry has the id or the caller may not see it. Rejects with
   * ValidationError if the result is larger than one answer may be.
   */
  run(input?: ReadInput, options?: ReadOptions): ReadResult | Promise<ReadResult>
}

export interface Reads {
  /** `limits`: page limits of an API. Without them: the page of `params.pagination`, or the whole list. */
  prepareFind(type: ContentType, params: Params, access: Access, limits?: PageLimits): PreparedRead
  prepareFindOne(type: ContentType, params: Params, access: Access, hideDrafts: boolean): PreparedRead
  /** For types that have documents: the version and locale that the params name. */
  prepareFindDocument(type: ContentType, params: Params, access: Access): PreparedRead
  /** Which cached lists look at all entries of a content-type with more than `maxRows`, with the indexes that would help. */
  scans(maxRows: number): readonly string[]
  /** How many compiled plans are cached. */
  readonly compiledPlans: number
}

/** Reads without pages of an API. No permissions are checked unless `access` is given. */
export interface Finds {
  /** Every entry that the params ask for. */
  findAll(type: ContentType, params: Params, access?: Access): Promise<readonly EntryObject[]>
  findFirst(type: ContentType, params: Params, access?: Access): Promise<EntryObject | undefined>
  /** One entry by id, including drafts. */
  findOne(type: ContentType, id: number, params: Params, access?: Access): Promise<EntryObject | undefined>
  /** How many entries match; the pagination of the params is ignored. */
  count(type: ContentType, params: Params, access?: Access): Promise<number>
  exists(type: ContentType, params: Params, access?: Access): Promise<boolean>
}
