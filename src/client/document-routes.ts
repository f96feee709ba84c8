// The types of the generated routes where entries are documents, as in Strapi 5.

import type { ContentTypeShape } from './content-shape.ts'
import type { Fields, Populate } from './queries.ts'
import type { Entity } from './responses.ts'
import type { CallOptions, EntryQuery, List, ListQuery, LocaleOf, One, Pagination } from './routes.ts'

/** The routes of a collection type. Each rejects with `ApiError`, or with what `fetch` rejects with. */
export interface DocumentCollection<S extends ContentTypeShape> {
  readonly find: DocumentListCall<S>
  /** Finds what is published, unless the query says otherwise; rejects with NotFoundError where there is none. */
  readonly findOne: DocumentCall<S, [documentId: string]>
  /** Publishes, unless the query says `status: 'draft'`; `details.errors` of ValidationError lists all faults. */
  readonly create: DocumentCall<S, [data: S['input']]> & DraftCall<S, [data: S['draft']]>
  /** Changes what `data` names, and publishes unless the query says `status: 'draft'`. */
  readonly update: DocumentCall<S, [documentId: string, data: S['update']]>
  /** Deletes both versions in a locale; there is no answer, whether or not there were any. */
  readonly delete: (documentId: string, query?: LocaleQuery<S>, options?: CallOptions) => Promise<undefined>
}

/** The routes of a single type. */
export interface DocumentSingle<S extends ContentTypeShape> {
  readonly find: DocumentCall<S, []>
  /** Creates the document the first time. */
  readonly update: DocumentCall<S, [data: S['update']]>
  readonly delete: (query?: LocaleQuery<S>, options?: CallOptions) => Promise<undefined>
}

/** `draft` is the draft of every document. */
export type Versions = 'published' | 'draft'

export interface LocaleQuery<S extends ContentTypeShape> {
  readonly locale?: LocaleOf<S> | '*' | undefined
}

export interface VersionQuery<S extends ContentTypeShape, Version> {
  /** By default `published`. */
  readonly status?: Version | undefined
  /** By default the default locale. */
  readonly locale?: LocaleOf<S> | undefined
}

export type DocumentListCall<S extends ContentTypeShape> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
  Version extends Versions = 'published',
  const G extends Pagination | undefined = undefined,
>(
  query?: Omit<ListQuery<S, P, F, never, G>, 'publicationState' | 'locale'> &
    LocaleQuery<S> & { readonly status?: Version | undefined; readonly hasPublishedVersion?: boolean },
  options?: CallOptions,
) => Promise<List<Entity<S, { populate: P; fields: F }, Version>, G, S['counts']>>

/** Asks about one document; `Before` are the parameters before the query. */
export type DocumentCall<S extends ContentTypeShape, Before extends readonly unknown[]> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
  Version extends Versions = 'published',
>(
  ...call: [...Before, question?: EntryQuery<S, P, F> & VersionQuery<S, Version>, options?: CallOptions]
) => Promise<One<Entity<S, { populate: P; fields: F }, Version>>>

/** Writes a draft, which may lack what is required. */
export type DraftCall<S extends ContentTypeShape, Before extends readonly unknown[]> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
>(
  ...call: [
    ...Before,
    question: EntryQuery<S, P, F> & VersionQuery<S, 'draft'> & { readonly status: 'draft' },
    options?: CallOptions,
  ]
) => Promise<One<Entity<S, { populate: P; fields: F }, 'draft'>>>
