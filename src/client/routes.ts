// The types of the generated routes, as the client calls them.

import type { ContentTypeShape, OfDocuments } from './content-shape.ts'
import type { Fields, Filters, OnlyPopulated, Populate, Sort } from './queries.ts'
import type { Subject } from './responses.ts'

/** Each route rejects with `ApiError`, or with the error of `fetch`. */
export interface EntryCollection<S extends ContentTypeShape> {
  readonly find: ListCall<S>
  /** Finds drafts, too; rejects with NotFoundError. */
  readonly findOne: OneCall<S, [id: number | string]>
  /** Rejects with ValidationError; `details.errors` lists all faults. */
  readonly create: OneCall<S, [data: S['input'] | S['draft']]>
  /** Changes the attributes in `data`. */
  readonly update: OneCall<S, [id: number | string, data: S['update']]>
  /** Returns the deleted entry. */
  readonly delete: OneCall<S, [id: number | string]>
}

export interface EntrySingle<S extends ContentTypeShape> {
  /** Rejects with NotFoundError as long as the entry is missing. */
  readonly find: SingleCall<S>
  /** Creates the entry the first time. */
  readonly update: OneCall<S, [data: S['update']]>
  readonly delete: OneCall<S, []>
}

export type ListCall<S extends ContentTypeShape> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
  State extends States = 'live',
  const G extends Pagination | undefined = undefined,
>(
  query?: ListQuery<S, P, F, State, G>,
  options?: CallOptions,
) => Promise<List<Subject<S, { populate: P; fields: F }, State> & Found<S>, G, S['counts']>>

/** By attribute; missing unless the query has `_highlight`. */
export type Found<S extends ContentTypeShape> = S extends OfDocuments
  ? Highlighted
  : { readonly attributes: Highlighted }

interface Highlighted {
  readonly _highlight?: Readonly<Record<string, string>>
}

export type SingleCall<S extends ContentTypeShape> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
  State extends States = 'live',
>(
  query?: SingleQuery<S, P, F, State>,
  options?: CallOptions,
) => Promise<One<Subject<S, { populate: P; fields: F }, State>>>

/** `Before`: the parameters before the query. */
export type OneCall<S extends ContentTypeShape, Before extends readonly unknown[]> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
>(
  ...call: [...Before, question?: EntryQuery<S, P, F>, options?: CallOptions]
) => Promise<One<Subject<S, { populate: P; fields: F }>>>

/** `preview`: drafts, too. */
export type States = 'live' | 'preview'

export interface EntryQuery<S extends ContentTypeShape, P, F> {
  readonly populate?: (P & OnlyPopulated<S, P>) | undefined
  readonly fields?: F | undefined
}

export interface SingleQuery<S extends ContentTypeShape, P, F, State> extends EntryQuery<S, P, F> {
  /** By default `live`. */
  readonly publicationState?: State | undefined
  readonly locale?: LocaleOf<S> | undefined
}

export interface ListQuery<S extends ContentTypeShape, P, F, State, G> extends EntryQuery<S, P, F> {
  readonly filters?: Filters<S> | undefined
  readonly sort?: Sort<S> | undefined
  readonly pagination?: G | undefined
  /** By default `live`. */
  readonly publicationState?: State | undefined
  readonly locale?: LocaleOf<S> | 'all' | undefined
  readonly _q?: string | undefined
  /** For types with `index: text`: entries have `_highlight`, HTML with the words of `_q` in `<mark>`. */
  readonly _highlight?: boolean | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** For a write: rejects with PreconditionFailedError (412) if the entry has another version. */
  readonly ifVersion?: number | undefined
  /** For a write by POST: if it is repeated with the same key, the first response is repeated. */
  readonly idempotencyKey?: string | undefined
}

export type LocaleOf<S extends ContentTypeShape> = S['fields'] extends { readonly locale: infer L }
  ? L
  : never

export type Pagination =
  | { readonly page?: number; readonly pageSize?: number; readonly withCount?: boolean }
  | { readonly start?: number; readonly limit?: number; readonly withCount?: boolean }
  /** Behind a cursor, the `next` of the answer before; empty for the first entries. */
  | { readonly after: string; readonly pageSize?: number; readonly withCount?: boolean }

/** `Counts`: whether entries are counted when the query `G` does not say. */
export type PageOf<G, Counts = boolean> = G extends { readonly after: string }
  ? { readonly pageSize: number; readonly next: string | null } & CountVariant<Total, G, Counts>
  : G extends { readonly start: number } | { readonly limit: number }
    ? { readonly start: number; readonly limit: number } & CountVariant<Total, G, Counts>
    : { readonly page: number; readonly pageSize: number } & CountVariant<
        Total & { readonly pageCount: number },
        G,
        Counts
      >

interface Total {
  readonly total: number
}

/** Partial if the query is known only at run time. */
type CountVariant<T, G, Counts> = [CountSetting<G, Counts>] extends [true]
  ? T
  : [CountSetting<G, Counts>] extends [false]
    ? object
    : Partial<T>

type CountSetting<G, Counts> = 'withCount' extends keyof G ? G['withCount'] : Counts

export interface One<T> {
  readonly data: T
  readonly meta: object
  /** Of the entry, for `ifVersion`: not enumerable, and missing where the server sends no `ETag` of an entry. */
  readonly version?: number
}

export interface List<T, G, Counts = boolean> {
  readonly data: readonly T[]
  readonly meta: { readonly pagination: PageOf<G, Counts> }
}
