// Declares the types of the routes for many entries: writes, which are all or none, and numbers.

import type { ContentTypeShape, OfDocuments } from './content-shape.ts'
import type { VersionQuery, Versions } from './document-routes.ts'
import type { Fields, Filters, Populate } from './queries.ts'
import type { Entity, Subject } from './responses.ts'
import type { CallOptions, EntryQuery, List, LocaleOf, One, Pagination } from './routes.ts'

/** The paths in `details.errors` of ValidationError begin with the index of the item. */
export interface ManyRoutes<S extends ContentTypeShape> {
  readonly createMany: ManyCall<S, [items: readonly S['input'][]]>
  /** Changes every entry that matches; `{}` matches all. */
  readonly updateMany: ManyCall<S, [filters: Filters<S>, data: S['update']]>
  /** Returns the former entries. */
  readonly deleteMany: ManyCall<S, [filters: Filters<S>]>
  /** Updates the entry with the same value of `on`, a unique attribute or set, or creates it. */
  readonly upsert: ManyCall<S, [on: UniqueNames<S>, data: S['input']]>
  readonly upsertMany: ManyCall<S, [on: UniqueNames<S>, items: readonly S['input'][]]>
}

/** Numbers about the entries that the caller can find. */
export interface SummaryRoutes<S extends ContentTypeShape> {
  readonly aggregate: (
    query?: AggregateQuery<S>,
    options?: CallOptions,
  ) => Promise<List<AggregateGroup, undefined>>
  readonly count: (query?: SummaryQuery<S>, options?: CallOptions) => Promise<One<{ readonly count: number }>>
}

interface SummaryQuery<S extends ContentTypeShape> {
  readonly filters?: Filters<S> | undefined
  readonly locale?: string | undefined
  readonly publicationState?: 'live' | 'preview' | undefined
  readonly status?: Versions | undefined
  readonly _q?: string | undefined
}

export interface AggregateQuery<S extends ContentTypeShape> extends SummaryQuery<S> {
  /** `{ count: '*', avg: ['rating'] }`; paths such as `author.age`, too. */
  readonly aggregate?: { readonly [Fn in AggregateFunction]?: string | readonly string[] } | undefined
  /** `author.name`, `month(createdAt)`. */
  readonly groupBy?: string | readonly string[] | undefined
  /** `{ count: { $gt: 1 }, avg: { rating: { $gte: 3 } } }`. */
  readonly having?: object | undefined
  /** `avg.rating:desc`, or a name of `groupBy`. */
  readonly sort?: string | readonly string[] | undefined
  readonly pagination?: Exclude<Pagination, { readonly after: string }> | undefined
}

type AggregateFunction = 'count' | 'countDistinct' | 'min' | 'max' | 'sum' | 'avg'

export interface AggregateGroup {
  /** By the names of `groupBy`. */
  readonly group?: Readonly<Record<string, string | number | boolean | null>>
  /** By attribute, if attributes were counted. */
  readonly count?: number | Readonly<Record<string, number>>
  readonly countDistinct?: Readonly<Record<string, number>>
  readonly min?: Readonly<Record<string, string | number | null>>
  readonly max?: Readonly<Record<string, string | number | null>>
  readonly sum?: Readonly<Record<string, number | null>>
  readonly avg?: Readonly<Record<string, number | null>>
}

type UniqueNames<S extends ContentTypeShape> =
  | (keyof S['input'] & string)
  | readonly (keyof S['input'] & string)[]

export type ManyCall<S extends ContentTypeShape, Before extends readonly unknown[]> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
  Version extends Versions = 'published',
>(
  ...call: [
    ...Before,
    question?: EntryQuery<S, P, F> & ManyQuery<S, Version> & { readonly plan?: boolean | undefined },
    options?: CallOptions,
  ]
) => Promise<
  Written<
    S extends OfDocuments
      ? Entity<S, { populate: P; fields: F }, Version>
      : Subject<S, { populate: P; fields: F }>
  >
>

type ManyQuery<S extends ContentTypeShape, Version> = S extends OfDocuments
  ? VersionQuery<S, Version>
  : { readonly locale?: LocaleOf<S> | 'all' | undefined }

export interface Written<T> {
  readonly data: readonly T[]
  readonly meta: {
    readonly created?: number
    readonly updated?: number
    readonly deleted?: number
    /** Set if the query has `plan: true`: nothing was changed. */
    readonly plan?: true
  }
}
