// Parameters and results of `strapi.documents(uid)`.

import type { ContentTypeShape } from '../client/content-shape.ts'
import type { Versions } from '../client/document-routes.ts'
import type { Fields, Filters, Populate, Sort } from '../client/queries.ts'
import type { FlatEntry } from '../client/responses.ts'
import type { LocaleOf } from '../client/routes.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { EntryTypes, TypedChoice } from './entries.ts'
import type { Data, EntriesQuery } from './entries-query.ts'

/** `status` defaults to `draft`, `locale` to the configuration's default. */
export interface DocumentsQuery
  extends Pick<EntriesQuery, 'filters' | 'sort' | 'populate' | 'start' | 'limit' | 'status'> {
  readonly fields?: string | readonly string[]
  /** Instead of `start` and `limit`. */
  readonly pagination?: Readonly<Record<string, unknown>>
  readonly _q?: string
  /** `*` selects every locale. */
  readonly locale?: string
}

interface DocumentQuery extends Pick<DocumentsQuery, 'fields' | 'populate' | 'status' | 'locale'> {
  readonly documentId: string
}

/** The versions in one locale, in several, or in all (`*`). */
export interface VersionsQuery extends Pick<DocumentsQuery, 'fields' | 'populate'> {
  readonly documentId: string
  readonly locale?: string | readonly string[]
}

export interface ChangedVersions {
  readonly documentId: string
  readonly entries: readonly EntryObject[]
}

export interface StrapiDocuments {
  findMany(query?: DocumentsQuery): Promise<EntryObject[]>
  findFirst(query?: DocumentsQuery): Promise<EntryObject | null>
  findOne(query: DocumentQuery): Promise<EntryObject | null>
  count(query?: Pick<DocumentsQuery, 'filters' | 'status' | 'locale'>): Promise<number>
  /** Creates a draft, and publishes it with `status: 'published'`. */
  create(query: Omit<DocumentQuery, 'documentId'> & { readonly data: Data }): Promise<EntryObject>
  /** Resolves with null if the document does not exist. */
  update(query: DocumentQuery & { readonly data: Data }): Promise<EntryObject | null>
  delete(query: VersionsQuery): Promise<ChangedVersions>
  publish(query: VersionsQuery): Promise<ChangedVersions>
  unpublish(query: VersionsQuery): Promise<ChangedVersions>
  discardDraft(query: VersionsQuery): Promise<ChangedVersions>
}

interface TypedDocuments<S extends ContentTypeShape, P, F, State> extends TypedChoice<S, P, F> {
  readonly filters?: Filters<S>
  readonly sort?: Sort<S>
  readonly start?: number
  readonly limit?: number
  readonly status?: State & Versions
  readonly locale?: LocaleOf<S> | '*'
}

interface TypedDocument<S extends ContentTypeShape, P, F> extends TypedChoice<S, P, F> {
  readonly status?: Versions
  readonly locale?: LocaleOf<S>
}

type TypedVersions<S extends ContentTypeShape> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Exclude<Fields<S>, string> | undefined = undefined,
>(
  query: TypedChoice<S, P, F> & {
    readonly documentId: string
    readonly locale?: LocaleOf<S> | '*' | readonly LocaleOf<S>[]
  },
) => Promise<{
  readonly documentId: string
  readonly entries: readonly FlatEntry<S, { populate: P; fields: F }, 'draft'>[]
}>

/** For types without drafts, a published document's data. */
type DraftOf<S extends ContentTypeShape> = [S['draft']] extends [never] ? S['input'] : S['draft']

interface DocumentsOfType<S extends ContentTypeShape> {
  findMany<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
    State extends Versions = 'draft',
  >(query?: TypedDocuments<S, P, F, State>): Promise<FlatEntry<S, { populate: P; fields: F }, State>[]>
  findFirst<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
    State extends Versions = 'draft',
  >(query?: TypedDocuments<S, P, F, State>): Promise<FlatEntry<S, { populate: P; fields: F }, State> | null>
  findOne<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
    State extends Versions = 'draft',
  >(
    query: TypedChoice<S, P, F> & {
      readonly documentId: string
      readonly status?: State & Versions
      readonly locale?: LocaleOf<S>
    },
  ): Promise<FlatEntry<S, { populate: P; fields: F }, State> | null>
  count(
    query?: Pick<TypedDocuments<S, undefined, undefined, Versions>, 'filters' | 'status' | 'locale'>,
  ): Promise<number>
  create<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
  >(
    query: TypedDocument<S, P, F> &
      (
        | { readonly data: DraftOf<S> & S['closed']; readonly status?: 'draft' }
        | { readonly data: S['input'] & S['closed']; readonly status: 'published' }
      ),
  ): Promise<FlatEntry<S, { populate: P; fields: F }, 'draft'>>
  update<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
  >(
    query: TypedDocument<S, P, F> & {
      readonly documentId: string
      readonly data: S['update'] & S['closed']
    },
  ): Promise<FlatEntry<S, { populate: P; fields: F }, 'draft'> | null>
  delete: TypedVersions<S>
  publish: TypedVersions<S>
  unpublish: TypedVersions<S>
  discardDraft: TypedVersions<S>
}

export type DocumentsFor<K> = K extends keyof EntryTypes
  ? EntryTypes[K] extends ContentTypeShape
    ? DocumentsOfType<EntryTypes[K]>
    : StrapiDocuments
  : StrapiDocuments
