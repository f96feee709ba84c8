// The API of `write/`: REST, GraphQL and `cms.entries` use it.

import type { ApiError } from '../lib/errors/api-error.ts'
import type { Access, WriteAction } from '../model/access.ts'
import type { Component, ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { Params } from '../plan/params.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { WriteTally } from '../plan/write/write-limits.ts'
import type { Finds, Reads } from '../query/reads.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import type { EntryReader } from '../query/rows/entry-reader.ts'
import type { RequestBudget } from '../query/rows/request-budget.ts'
import type { Database } from '../storage/database.ts'
import type { SqlValue } from '../storage/sql/statement.ts'
import type { Writer } from './recorded-changes.ts'

/** The read of a write's response, reused by writes that request the same response. */
export interface PreparedOutput extends EntryReader {
  readonly plan: ReadPlan
  /** Reads written entries by their ids, in this order; those that are gone are left out. */
  readAll(ids: readonly number[], budget: RequestBudget): Promise<readonly EntryRow[]>
}

export interface WriteResult {
  readonly plan: ReadPlan
  readonly entry: EntryRow
}

/** `publish`: the response shows the published version; `unpublish` and `discard`: the draft. */
export type FinishVersions = 'publish' | 'unpublish' | 'discard'

export interface WriteOptions {
  readonly params: Params
  readonly access: Access
  /** The recorded author of the change; undefined: the server's own code. */
  readonly by: Writer | undefined
  /** The result of `prepareOutput`; called after the checks that come before the output's. */
  readonly output?: (() => PreparedOutput) | undefined
  /** Set if several reads and writes share one response's budget. */
  readonly budget?: RequestBudget | undefined
  /** Attributes set by the server's own code: the caller needs no rights for them. */
  readonly own?: ReadonlySet<string> | undefined
  /** The action whose rules apply, if it is not the write's own. */
  readonly as?: WriteAction | undefined
  /** Shared by the writes of one request, to limit them together. */
  readonly tally?: WriteTally | undefined
  /** The versions that the caller has seen: the entry must have one of them, else PreconditionFailedError. */
  readonly ifVersion?: readonly number[] | undefined
  /** Relations that get their entries after this write, so that `required` does not apply. */
  readonly linkedLater?: ReadonlySet<string> | undefined
  /** Whether users' hooks are left out, because the write will be undone. */
  readonly dryRun?: boolean | undefined
  /** Seeds may set the server's own attributes and hashed passwords. */
  readonly trusted?: boolean
  /** Whether a draft must meet the rules of a published entry, as in GraphQL. */
  readonly complete?: boolean | undefined
  /** Delete only: other rows of the same document that are deleted too. */
  readonly with?: readonly number[]
  /** Runs after the draft is written, in the same transaction. */
  readonly finish?: FinishVersions | undefined
  /** The document that a new locale belongs to; undefined: a new document. */
  readonly documentId?: string
  /**
   * Updates only if the stored value equals this one, checked within the transaction; else NotFoundError. Of
   * several requests that use up a one-time token, only one succeeds.
   */
  readonly onlyWhile?: { readonly name: string; readonly value: string | number }
}

export interface SeedEntry {
  readonly type: ContentType
  readonly data: Readonly<Record<string, unknown>>
}

export interface ClearedEntries {
  readonly type: ContentType
  readonly ids?: readonly number[] | undefined
}

export interface Secrets {
  readonly id: number
  readonly values: ReadonlyMap<string, SqlValue>
}

export interface SeedFault {
  readonly index: number
  readonly reason: ApiError
}

export const MAX_SEED_FAULTS = 100

export class SeedFailure extends Error {
  override name = 'SeedFailure'
  readonly faults: readonly SeedFault[]

  constructor(faults: readonly SeedFault[]) {
    super(faults[0]?.reason.message)
    this.faults = faults
  }
}

export interface ComponentPlace {
  readonly type: ContentType
  readonly id: number
  /** A payload that changes only the component; undefined if writing it is not allowed. */
  dataWith(change: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined
}

export interface DocumentOptions extends Omit<WriteOptions, 'output' | 'finish'> {
  readonly output?: ((shown: 'live' | 'draft') => PreparedOutput) | undefined
  /** `published` (the default): the draft, which is then published. */
  readonly status?: 'draft' | 'published'
  /** Undefined: the default locale. Types without locales ignore it. */
  readonly locale?: unknown
}

interface VersionOfDocument {
  readonly documentId: string
  readonly version: 'draft' | 'published'
  /** Null for types without locales. */
  readonly locale: string | null
}

export interface Documents {
  /** Replaces documentIds by row ids, for a type without locales. Throws for an unknown documentId. */
  resolve(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>
  ofRow(type: ContentType, id: number): Promise<VersionOfDocument | undefined>
  /** Single types: throws ValidationError if the document exists already. */
  create(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    options: DocumentOptions,
  ): Promise<WriteResult>
  /**
   * Creates a missing locale, and a single type's missing document. Throws NotFoundError before it reports
   * faults of the data.
   */
  update(
    type: ContentType,
    documentId: string | undefined,
    data: Readonly<Record<string, unknown>>,
    options: DocumentOptions,
  ): Promise<WriteResult>
  /**
   * Deletes both versions in the locale, or with `*` in all locales; false if none existed. A single type
   * needs no documentId.
   */
  delete(type: ContentType, documentId: string | undefined, options: DocumentOptions): Promise<boolean>
  /** Throws NotFoundError, ValidationError. */
  publish(type: ContentType, documentId: string | undefined, options: DocumentOptions): Promise<WriteResult>
  /** Keeps the draft. Throws NotFoundError if the document does not exist. */
  unpublish(type: ContentType, documentId: string | undefined, options: DocumentOptions): Promise<WriteResult>
  /** Copies the published version to the draft. Throws NotFoundError without one. */
  discardDraft(
    type: ContentType,
    documentId: string | undefined,
    options: DocumentOptions,
  ): Promise<WriteResult>
}

export interface Content extends Reads, Finds {
  readonly database: Database
  /** Undefined if entries are not documents. */
  readonly documents: Documents | undefined
  prepareOutput(type: ContentType, params: Params, access: Access): PreparedOutput
  /**
   * Rolls back when `task` rejects. `task` has a few seconds; in an embedded database all other requests wait
   * for it.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
  /**
   * Within a transaction: other writes of the entries wait for its end. False where only one transaction runs at a time, so that
   * nothing has changed since the entries were read.
   */
  lockEntries(type: ContentType, ids: readonly number[]): Promise<boolean>
  create(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /**
   * Creates a localization in `data.locale`. A single type needs no id. Throws NotFoundError if the entry
   * does not exist, ApplicationError if the locale is missing or not allowed.
   */
  localize(
    type: ContentType,
    id: number | undefined,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /**
   * Throws NotFoundError if the entry does not exist or the caller may not change it; `update` and `delete`
   * check again.
   */
  assertMayChange(type: ContentType, action: 'update' | 'delete', id: number, access: Access): Promise<void>
  /** Throws NotFoundError before it reports faults of the data. */
  update(
    type: ContentType,
    id: number,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /** Returns the former entry. Throws NotFoundError. */
  delete(type: ContentType, id: number, options: WriteOptions): Promise<WriteResult>
  /**
   * Stores entries that may refer to each other in any order, all or none. They may set ids and attributes of
   * the server. `cleared` entries are deleted first, without hooks. `may` is called within the transaction;
   * false cancels the seed. Throws SeedFailure.
   */
  seed(
    entries: readonly SeedEntry[],
    cleared?: readonly ClearedEntries[],
    may?: () => boolean,
  ): Promise<boolean>
  /**
   * Reads attributes that no client may read, such as password hashes. Only for the server itself (logins),
   * never for a response.
   */
  findSecrets(
    type: ContentType,
    by: { readonly name: string; readonly value: string | number },
    names: readonly string[],
  ): Secrets | undefined | Promise<Secrets | undefined>
  findPlace(model: Model, component: Component, id: number): Promise<ComponentPlace | undefined>
}
