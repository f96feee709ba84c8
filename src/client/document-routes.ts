// Declares the types of the generated routes for documents of Strapi 5.

import type { ContentTypeShape } from './content-shape.ts'
import type { Fields, Populate } from './queries.ts'
import type { Entity } from './responses.ts'
import type { CallOptions, EntryQuery, Found, List, ListQuery, LocaleOf, One, Pagination } from './routes.ts'

export interface DocumentCollection<S extends ContentTypeShape> {
  readonly find: DocumentListCall<S>
  /** Finds published versions, unless the query says otherwise; rejects with NotFoundError. */
  readonly findOne: DocumentCall<S, [documentId: string]>
  /** Publishes, unless the query says `status: 'draft'`; `details.errors` of ValidationError lists all faults. */
  readonly create: DocumentCall<S, [data: S['input']]> & DraftCall<S, [data: S['draft']]>
  /** Changes the attributes in `data`, and publishes unless the query says `status: 'draft'`. */
  readonly update: DocumentCall<S, [documentId: string, data: S['update']]>
  /** Deletes both versions in a locale; the response is empty, also for missing versions. */
  readonly delete: (documentId: string, query?: LocaleQuery<S>, options?: CallOptions) => Promise<undefined>
}

export interface DocumentSingle<S extends ContentTypeShape> {
  readonly find: DocumentCall<S, []>
  /** Creates the document the first time. */
  readonly update: DocumentCall<S, [data: S['update']]>
  readonly delete: (query?: LocaleQuery<S>, options?: CallOptions) => Promise<undefined>
}

/** `draft`: the draft of every document. */
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
) => Promise<List<Entity<S, { populate: P; fields: F }, Version> & Found<S>, G, S['counts']>>

/** `Before`: the parameters before the query. */
export type DocumentCall<S extends ContentTypeShape, Before extends readonly unknown[]> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Fields<S> | undefined = undefined,
  Version extends Versions = 'published',
>(
  ...call: [...Before, question?: EntryQuery<S, P, F> & VersionQuery<S, Version>, options?: CallOptions]
) => Promise<One<Entity<S, { populate: P; fields: F }, Version>>>

/** Writes a draft, which may lack required attributes. */
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
