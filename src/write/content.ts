// The API of `write/`: content-type and params or data -> entries. REST, GraphQL and `cms.entries` all use it.

import type { ApiError } from '../lib/errors/api-error.ts'
import type { Access } from '../model/access.ts'
import type { Component, ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { Params } from '../plan/params.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { Finds, Reads } from '../query/reads.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import type { EntryReader } from '../query/rows/entry-reader.ts'
import type { RequestBudget } from '../query/rows/request-budget.ts'
import type { Database } from '../storage/database.ts'
import type { SqlValue } from '../storage/sql/statement.ts'
import type { Writer } from './recorded-changes.ts'

/** The answer to a write, planned and compiled, for writes that are asked for the same answer. */
export interface PreparedOutput extends EntryReader {
  readonly plan: ReadPlan
}

export interface WriteResult {
  readonly plan: ReadPlan
  readonly entry: EntryRow
}

/** `publish`: the answer shows what was published; `unpublish` and `discard`: the draft. */
export type FinishVersions = 'publish' | 'unpublish' | 'discard'

export interface WriteOptions {
  /** Which part of the written entry the answer shows. */
  readonly params: Params
  readonly access: Access
  /** In whose name the change is recorded; undefined: the server's own code. */
  readonly by: Writer | undefined
  /** The result of `prepareAnswer` with the params and the access; called after the checks that come before the output's. */
  readonly response?: (() => PreparedOutput) | undefined
  /** Set if several reads and writes make up one answer and share its budget. */
  readonly budget?: RequestBudget | undefined
  /** Attributes whose values the server's own code set: the caller needs no rights for them. */
  readonly own?: ReadonlySet<string> | undefined
  /** Seeds may set the runtime's own attributes and give hashed passwords. */
  readonly trusted?: boolean
  /** Whether a draft must meet the rules of a published entry, as in GraphQL. */
  readonly complete?: boolean | undefined
  /** Delete only: other rows of the same document, which go with it. */
  readonly with?: readonly number[]
  /** The next step of the versions of a document when its draft is written, in the same transaction. */
  readonly finish?: FinishVersions | undefined
  /** The document that a new locale belongs to; undefined: a new document. */
  readonly documentId?: string
  /**
   * Update only if the stored value is this one, which is checked within the transaction; NotFoundError otherwise. Of
   * several requests that would use up a value (a one-time token), only one succeeds.
   */
  readonly onlyWhile?: { readonly name: string; readonly value: string | number }
}

export interface SeedEntry {
  readonly type: ContentType
  readonly data: Readonly<Record<string, unknown>>
}

/** Entries that a seed replaces. */
export interface ClearedEntries {
  readonly type: ContentType
  /** Undefined: all entries of the type. */
  readonly ids?: readonly number[] | undefined
}

/** Stored values by attribute name. */
export interface Secrets {
  readonly id: number
  readonly values: ReadonlyMap<string, SqlValue>
}

/** Why entry number `index` of the seed cannot be stored. */
export interface SeedFault {
  readonly index: number
  readonly reason: ApiError
}

/** Seeding stops after this many faults. */
export const MAX_SEED_FAULTS = 100

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
  /** The entry's id. */
  readonly id: number
  /** A payload that changes the component and keeps everything else; undefined where no payload may do so. */
  dataWith(change: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined
}

export interface DocumentOptions extends Omit<WriteOptions, 'response' | 'finish'> {
  /** As in `WriteOptions`, for the version that the answer shows. */
  readonly response?: ((shown: 'live' | 'draft') => PreparedOutput) | undefined
  /** The versions that are written: the draft alone, or (the default) the draft, which is then published. */
  readonly status?: 'draft' | 'published'
  /** As the client sent it; undefined: the default locale. Types without locales ignore it. */
  readonly locale?: unknown
}

/** Which version of which document a row is. */
interface VersionOfDocument {
  readonly documentId: string
  readonly version: 'draft' | 'published'
  /** Null for types without locales. */
  readonly locale: string | null
}

export interface Documents {
  /** The data with ids of rows in place of documentIds, for a type without locales. Throws for one that there is not. */
  resolve(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>
  /** The document that a row belongs to; undefined if there is no such row. */
  ofRow(type: ContentType, id: number): Promise<VersionOfDocument | undefined>
  /** Single types: throws ValidationError if there is a document already. */
  create(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    options: DocumentOptions,
  ): Promise<WriteResult>
  /**
   * Changes a version in a locale, which is made if the document has others. A single type needs no documentId, and its
   * document is made if there is none. Throws NotFoundError before it reports any fault of the data.
   */
  update(
    type: ContentType,
    documentId: string | undefined,
    data: Readonly<Record<string, unknown>>,
    options: DocumentOptions,
  ): Promise<WriteResult>
  /**
   * Deletes both versions in the locale, or with `*` in all locales; returns false without one. A single type
   * needs no documentId.
   */
  delete(type: ContentType, documentId: string | undefined, options: DocumentOptions): Promise<boolean>
  /** Publishes the draft as it is. Throws NotFoundError, ValidationError. */
  publish(type: ContentType, documentId: string | undefined, options: DocumentOptions): Promise<WriteResult>
  /** Deletes the published version and keeps the draft. Throws NotFoundError if there is no such document. */
  unpublish(type: ContentType, documentId: string | undefined, options: DocumentOptions): Promise<WriteResult>
  /** Makes the draft a copy of the published version. Throws NotFoundError without one. */
  discardDraft(
    type: ContentType,
    documentId: string | undefined,
    options: DocumentOptions,
  ): Promise<WriteResult>
}

export interface Content extends Reads, Finds {
  readonly database: Database
  /** Writes of documents; undefined where entries are no documents. */
  readonly documents: Documents | undefined
  /** Prepares the answer of `create` and `update`. */
  prepareAnswer(type: ContentType, params: Params, access: Access): PreparedOutput
  /**
   * Runs everything that `task` reads and writes in one transaction, and undoes it all when `task` rejects. `task` has
   * a few seconds, and in an embedded database all other requests wait for it.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
  create(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /**
   * Creates the content of an entry in another locale, `data.locale`. A single type needs no id.
   * Throws NotFoundError if there is no entry to localize, ApplicationError if the locale is missing or not allowed.
   */
  localize(
    type: ContentType,
    id: number | undefined,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /** Throws NotFoundError if the entry is not there, or not the caller's to change; `update` and `delete` ask again. */
  assertMayChange(type: ContentType, action: 'update' | 'delete', id: number, access: Access): Promise<void>
  /** Throws NotFoundError before it reports any fault of the data. */
  update(
    type: ContentType,
    id: number,
    data: Readonly<Record<string, unknown>>,
    options: WriteOptions,
  ): Promise<WriteResult>
  /** Returns the entry as it was before. Throws NotFoundError. */
  delete(type: ContentType, id: number, options: WriteOptions): Promise<WriteResult>
  /**
   * Stores entries that may refer to each other in any order, in one transaction: all or none. They bring their ids
   * and may set attributes that otherwise only the runtime sets. `cleared` entries are deleted first, in the same
   * transaction, without hooks. `may` is asked within the transaction; false: nothing is changed. Throws SeedFailure.
   */
  seed(
    entries: readonly SeedEntry[],
    cleared?: readonly ClearedEntries[],
    may?: () => boolean,
  ): Promise<boolean>
  /**
   * Reads attributes that no client may read, such as password hashes, of the first entry that has the value. Only for
   * the runtime itself (logins), never for an answer.
   */
  findSecrets(
    type: ContentType,
    by: { readonly name: string; readonly value: string | number },
    names: readonly string[],
  ): Secrets | undefined | Promise<Secrets | undefined>
  /** Finds the entry that holds the component with this id; undefined without one. */
  findPlace(model: Model, component: Component, id: number): Promise<ComponentPlace | undefined>
}
