// The API of the room: (content-type, params or data) -> entries, for every door (REST, GraphQL, `cms.entries`).

import type { Database } from '../databases/database.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { Component, ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { Access } from '../plan/planning.ts'
import type { Page, ReadPlan } from '../plan/read-plan.ts'
import type { SqlValue } from '../sql/statement.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { EntryRow, Found } from './entry.ts'
import type { EntryObject } from './to-object.ts'

export interface ReadOptions {
  /** A state of a moment ago will do. */
  readonly mayLag?: boolean
  /** Of an answer that several reads make together. */
  readonly budget?: AnswerBudget
}

/** A list, planned and compiled; it may be read any number of times. */
export interface PreparedList {
  readonly plan: ReadPlan
  readonly page: Page
  /** Rejects with ValidationError where there is more of it than one answer may hold. */
  read(options?: ReadOptions): Found | Promise<Found>
}

/** One entry by id, planned and compiled. */
export interface PreparedOne {
  readonly plan: ReadPlan
  /** Undefined when there is no such entry, or none the caller may see. */
  read(id: number, options?: ReadOptions): EntryRow | undefined | Promise<EntryRow | undefined>
}

export interface Written {
  readonly plan: ReadPlan
  readonly entry: EntryRow
}

export interface WriteOptions {
  /** What of the written entry is answered. */
  readonly params: Params
  readonly access: Access
  /** Of an answer that several reads and writes make together. */
  readonly budget?: AnswerBudget
  /** Attributes whose values the server's own code put into the data: no rights of the caller are asked for them. */
  readonly own?: ReadonlySet<string> | undefined
  /** Seeds may set the runtime's own attributes and give hashed passwords. */
  readonly trusted?: boolean
  /** A draft is held to the rules of a published entry, as GraphQL's are. */
  readonly complete?: boolean
  /**
   * Update: only while the stored value is this one, which is asked within the transaction; NotFoundError otherwise. Of
   * several that would use it up, one does.
   */
  readonly onlyWhile?: { readonly name: string; readonly value: string | number }
}

export interface SeedEntry {
  readonly type: ContentType
  readonly data: Readonly<Record<string, unknown>>
}

/** Entries whose place a seed takes. */
export interface Cleared {
  readonly type: ContentType
  /** Undefined: every one. */
  readonly ids?: readonly number[] | undefined
}

/** Stored values by attribute name. */
export interface Secrets {
  readonly id: number
  readonly values: ReadonlyMap<string, SqlValue>
}

/** Entry number `index` of the seed cannot be stored. */
export interface SeedFault {
  readonly index: number
  readonly reason: ApiError
}

/** A seed with so many faults is not looked at any further. */
export const MOST_SEED_FAULTS = 100

/** The faults of a seed, at least one. */
export class SeedFailure extends Error {
  override name = 'SeedFailure'
  readonly faults: readonly SeedFault[]

  constructor(faults: readonly SeedFault[]) {
    super(faults[0]?.reason.message)
    this.faults = faults
  }
}

/** The entry that a component is part of. */
export interface ComponentPlace {
  readonly type: ContentType
  /** Of the entry. */
  readonly id: number
  /** The payload that changes the component and keeps everything else; undefined where payloads may not say so. */
  dataWith(change: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined
}

export interface Content {
  readonly database: Database
  /** `limits` are those of an API: without them, what `params.pagination` asks for, or the whole list. */
  prepareFind(type: ContentType, params: Params, access: Access, limits?: PageLimits): PreparedList
  prepareFindOne(type: ContentType, params: Params, access: Access, hideDrafts: boolean): PreparedOne
  /** Every entry that the params ask for; by default without anybody's permissions, as with the next ones. */
  findAll(type: ContentType, params: Params, access?: Access): Promise<readonly EntryObject[]>
  findFirst(type: ContentType, params: Params, access?: Access): Promise<EntryObject | undefined>
  /** By id; drafts, too. */
  findOne(type: ContentType, id: number, params: Params, access?: Access): Promise<EntryObject | undefined>
  /** How many there are; what the params say about a page is not looked at. */
  count(type: ContentType, params: Params, access?: Access): Promise<number>
  exists(type: ContentType, params: Params, access?: Access): Promise<boolean>
  /**
   * All that `task` reads and writes is one transaction: all of it or, when it rejects, nothing. It has some seconds, and in an
   * embedded database everybody else waits for it.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
  create(type: ContentType, data: Readonly<Record<string, unknown>>, options: WriteOptions): Promise<Written>
  /**
   * The content of an entry in another locale: `data.locale`. Of a single type no id is given.
   * Throws NotFoundError where there is nothing to localize, ApplicationError where the locale will not do.
   */
  localize(
    type: ContentType,
    id: number | undefined,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<Written>
  /** Throws NotFoundError, before anything is said about the data. */
  update(
    type: ContentType,
    id: number,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<Written>
  /** The entry as it was. Throws NotFoundError. */
  delete(type: ContentType, id: number, options: WriteOptions): Promise<Written>
  /**
   * Entries that may name each other in any order, in one transaction: all or none. They bring their ids and may
   * set what only the runtime sets otherwise. What is `cleared` goes first, in the same transaction, and no hooks are run
   * for it. Throws SeedFailure.
   */
  seed(entries: readonly SeedEntry[], cleared?: readonly Cleared[]): Promise<void>
  /**
   * Attributes that no client may read, password hashes among them, of the first entry that has the value: for the
   * runtime's own eyes (logins), never for an answer.
   */
  findSecrets(
    type: ContentType,
    by: { readonly name: string; readonly value: string | number },
    names: readonly string[],
  ): Secrets | undefined | Promise<Secrets | undefined>
  /** Where the component of that id is; undefined where there is none. */
  findPlace(model: Model, component: Component, id: number): Promise<ComponentPlace | undefined>
  /** How many plans are compiled and kept. */
  readonly compiledPlans: number
}
