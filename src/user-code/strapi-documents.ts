// `strapi.documents('api::article.article')` for code written for Strapi 5: what `cms.entries` does, in Strapi's words.

import type { FlatEntry } from '../client/answers.ts'
import type { ContentTypeShape } from '../client/content-shape.ts'
import type { Versions } from '../client/document-routes.ts'
import type { Fields, Filters, Populate, Sort } from '../client/questions.ts'
import type { LocaleOf } from '../client/routes.ts'
import type { EntryObject } from '../content/rows/to-object.ts'
import type { EntryTypes, TypedChoice } from './entries.ts'
import type { Data, Entries, EntriesQuery } from './entries-query.ts'

/** What is asked of documents; the default status is `draft`, the default locale that of the configuration. */
export interface DocumentsQuery
  extends Pick<EntriesQuery, 'filters' | 'sort' | 'populate' | 'start' | 'limit' | 'status'> {
  readonly fields?: string | readonly string[]
  /** `*` is every locale. */
  readonly locale?: string
}

export interface DocumentQuery extends Pick<DocumentsQuery, 'fields' | 'populate' | 'status' | 'locale'> {
  readonly documentId: string
}

/** Which versions are published, unpublished, discarded or deleted: those in one locale, in some, or in all (`*`). */
export interface VersionsQuery extends Pick<DocumentsQuery, 'fields' | 'populate'> {
  readonly documentId: string
  readonly locale?: string | readonly string[]
}

export interface ChangedVersions {
  readonly documentId: string
  /** Empty if there is no such version. */
  readonly entries: readonly EntryObject[]
}

export interface StrapiDocuments {
  findMany(query?: DocumentsQuery): Promise<EntryObject[]>
  findFirst(query?: DocumentsQuery): Promise<EntryObject | null>
  findOne(query: DocumentQuery): Promise<EntryObject | null>
  count(query?: Pick<DocumentsQuery, 'filters' | 'status' | 'locale'>): Promise<number>
  /** Makes a draft, and publishes it with `status: 'published'`. */
  create(query: Omit<DocumentQuery, 'documentId'> & { readonly data: Data }): Promise<EntryObject>
  /** Null if there is no such document. */
  update(query: DocumentQuery & { readonly data: Data }): Promise<EntryObject | null>
  delete(query: VersionsQuery): Promise<ChangedVersions>
  publish(query: VersionsQuery): Promise<ChangedVersions>
  unpublish(query: VersionsQuery): Promise<ChangedVersions>
  discardDraft(query: VersionsQuery): Promise<ChangedVersions>
}

/** `DocumentsQuery` of a declared content-type. */
export interface TypedDocuments<S extends ContentTypeShape, P, F, State> extends TypedChoice<S, P, F> {
  readonly filters?: Filters<S>
  readonly sort?: Sort<S>
  readonly start?: number
  readonly limit?: number
  readonly status?: State & Versions
  readonly locale?: LocaleOf<S> | '*'
}

/** `DocumentQuery` of a declared content-type. */
export interface TypedDocument<S extends ContentTypeShape, P, F> extends TypedChoice<S, P, F> {
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

/** What a draft is made from; types without drafts have what is published alone. */
type DraftOf<S extends ContentTypeShape> = [S['draft']] extends [never] ? S['input'] : S['draft']

/** `StrapiDocuments` of a declared content-type. */
export interface DocumentsOfType<S extends ContentTypeShape> {
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

/** What `strapi.documents` returns for a content-type: typed if its types are declared. */
export type DocumentsFor<K> = K extends keyof EntryTypes
  ? EntryTypes[K] extends ContentTypeShape
    ? DocumentsOfType<EntryTypes[K]>
    : StrapiDocuments
  : StrapiDocuments

/** What is to be known of a content-type whose entries are documents. */
export interface DocumentsOf {
  readonly uid: string
  readonly entries: Entries
  readonly hasVersions: boolean
  /** Undefined for types without locales. */
  readonly defaultLocale: string | undefined
}

const CHOICE = ['fields', 'populate']
const ONE = [...CHOICE, 'status', 'locale']
const LIST = [...ONE, 'filters', 'sort', 'start', 'limit']

/** `of` is asked at each call: the content is there from `bootstrap` on. */
export function strapiDocuments(of: () => DocumentsOf): StrapiDocuments {
  return {
    async findMany(query = {}) {
      const type = of()
      return type.entries.findMany(listOf(type, query))
    },
    async findFirst(query = {}) {
      const type = of()
      const [first] = await type.entries.findMany({ ...listOf(type, query), limit: 1 })
      return first ?? null
    },
    async findOne(query) {
      const { documentId, ...question } = query
      const asked = questionOf('findOne', question, ONE)
      return of().entries.findOne(idOf('findOne', documentId), { ...asked, status: asked.status ?? 'draft' })
    },
    count: async (query = {}) => {
      const type = of()
      return type.entries.count(listOf(type, query, 'count', ['filters', 'status', 'locale']))
    },
    async create({ data, ...query }) {
      const asked = questionOf('create', query, ONE)
      return of().entries.create(dataOf('create', data), { ...asked, status: asked.status ?? 'draft' })
    },
    async update({ documentId, data, ...query }) {
      const { entries } = of()
      const id = idOf('update', documentId)
      const asked = questionOf('update', query, ONE)
      const written = dataOf('update', data)
      const known = await entries.count({
        filters: { documentId: { $eq: id } },
        status: 'draft',
        locale: '*',
      })
      if (known === 0) return null
      return entries.update(id, written, { ...asked, status: asked.status ?? 'draft' })
    },
    async delete(query) {
      const type = of()
      const drafts = await versions(type, 'delete', query, 'draft')
      const published = type.hasVersions ? await versions(type, 'delete', query, 'published') : []
      for (const { locale } of drafts) await type.entries.delete(query.documentId, inLocale(locale))
      return { documentId: query.documentId, entries: [...drafts, ...published] }
    },
    publish: (query) => act('publish', query),
    unpublish: (query) => act('unpublish', query),
    discardDraft: (query) => act('discardDraft', query),
  }

  async function act(
    action: 'publish' | 'unpublish' | 'discardDraft',
    query: VersionsQuery,
  ): Promise<ChangedVersions> {
    const type = of()
    if (!type.hasVersions)
      throw new TypeError(
        `strapi.documents('${type.uid}').${action}: the content-type has no drafts (draftAndPublish)`,
      )
    const found = await versions(type, action, query, action === 'publish' ? 'draft' : 'published')
    const { documentId, locale: _, ...choice } = query
    const changed: EntryObject[] = []
    for (const { locale } of found) {
      const asked = { ...questionOf(action, choice, CHOICE), ...inLocale(locale) }
      changed.push(await type.entries[action](documentId, asked))
    }
    // What is unpublished is answered as it was.
    return { documentId, entries: action === 'unpublish' ? found : changed }
  }
}

/** The versions of a document in the locales that are named, with their locale whatever `fields` says. */
async function versions(
  { entries, defaultLocale }: DocumentsOf,
  call: string,
  { documentId, locale, ...choice }: VersionsQuery,
  status: 'draft' | 'published',
): Promise<readonly EntryObject[]> {
  const id = idOf(call, documentId)
  const { fields, ...asked } = questionOf(call, choice, CHOICE)
  const named = locale ?? defaultLocale
  const shown = fields === undefined || defaultLocale === undefined ? fields : [...fields, 'locale']
  const found = await entries.findMany({
    ...asked,
    ...(shown !== undefined && { fields: shown }),
    filters: { documentId: { $eq: id } },
    status,
    locale: '*',
  })
  if (defaultLocale === undefined || named === '*') return found
  return found.filter((entry) => [named].flat().includes(entry['locale'] as string))
}

function inLocale(locale: unknown): { readonly locale?: string } {
  return typeof locale === 'string' ? { locale } : {}
}

function listOf(
  { defaultLocale }: DocumentsOf,
  query: DocumentsQuery,
  call = 'findMany',
  allowed: readonly string[] = LIST,
): EntriesQuery {
  const asked = questionOf(call, query, allowed)
  const locale = asked.locale ?? defaultLocale
  return { ...asked, status: asked.status ?? 'draft', ...(locale !== undefined && { locale }) }
}

function questionOf(call: string, query: object, allowed: readonly string[]): EntriesQuery {
  const other = Object.keys(query).find((key) => !allowed.includes(key))
  if (other !== undefined)
    throw new TypeError(
      `strapi.documents(…).${call} takes no "${other}" here; it takes ${allowed.join(', ')}`,
    )
  const { fields, ...asked } = query as DocumentsQuery
  if (asked.status !== undefined && asked.status !== 'draft' && asked.status !== 'published')
    throw new TypeError(
      `strapi.documents(…).${call}: status is draft or published, not ${JSON.stringify(asked.status)}`,
    )
  if (fields === undefined) return asked
  return { ...asked, fields: typeof fields === 'string' ? [fields] : fields }
}

/** Code without types may leave it out; to write then would make a document. */
function idOf(call: string, documentId: unknown): string {
  if (typeof documentId === 'string' && documentId !== '') return documentId
  throw new TypeError(`strapi.documents(…).${call} needs "documentId", a text`)
}

function dataOf(call: string, data: unknown): Data {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Data
  throw new TypeError(`strapi.documents(…).${call} writes what stands under "data"`)
}
