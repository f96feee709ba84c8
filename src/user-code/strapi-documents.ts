// `strapi.documents('api::article.article')` for Strapi 5 code, implemented with `cms.entries`.

import { ApiError } from '../lib/errors/api-error.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { DocumentMiddlewares } from './document-middlewares.ts'
import type { ChangedVersions, DocumentsQuery, StrapiDocuments, VersionsQuery } from './document-queries.ts'
import type { Data, Entries, EntriesQuery } from './entries-query.ts'
import type { QueryKeys } from './known-keys.ts'
import { getRange } from './strapi-core-entries.ts'

export interface DocumentsOf {
  readonly uid: string
  readonly entries: Entries
  readonly hasVersions: boolean
  readonly defaultLocale: string | undefined
}

const CHOICE = ['fields', 'populate']
const ONE = [...CHOICE, 'status', 'locale']
const LIST = [...ONE, 'filters', 'sort', 'start', 'limit', 'pagination', '_q']

/** Accepted and ignored. */
const WITHOUT_EFFECT: Readonly<Record<string, readonly string[]>> = {
  findOne: ['sort', 'start', 'limit'],
  count: [...CHOICE, 'sort', 'start', 'limit'],
  ...Object.fromEntries(
    ['delete', 'publish', 'unpublish', 'discardDraft'].map((call) => [call, ['status']] as const),
  ),
}

type VersionAction = 'publish' | 'unpublish' | 'discardDraft'

/** `of` runs at each call: content exists only from `bootstrap` on. */
export function createStrapiDocuments(
  of: () => DocumentsOf,
  { surroundCall }: Pick<DocumentMiddlewares, 'surroundCall'>,
  keys: QueryKeys,
): StrapiDocuments {
  const toRead = (call: string, query: object, known: readonly string[]): EntriesQuery => {
    const { where, select, orderBy, offset, ...asked } = query as DatabaseQuery
    const named = { filters: where, fields: select, sort: orderBy, start: offset }
    const given = { ...withoutUndefined(named), ...withoutUndefined(asked) }
    return buildQuery(call, keys.pick(`strapi.documents(…).${call}`, withEffect(call, given, known), known))
  }
  const toWrite = (call: string, query: object, known: readonly string[]): EntriesQuery =>
    buildQuery(call, keys.require(`strapi.documents(…).${call}`, withEffect(call, query, known), known))
  const actions = (action: VersionAction) => ({
    /** Undefined for types without drafts, as in Strapi. */
    get: () => (of().hasVersions ? (query: VersionsQuery) => act(action, query) : undefined),
    enumerable: true,
  })
  const documents: Omit<StrapiDocuments, VersionAction> = {
    async findMany(query = {}) {
      const type = of()
      const asked = getList(type, toRead('findMany', query, LIST))
      return inForm(type, asked, await type.entries.findMany(asked))
    },
    async findFirst(query = {}) {
      const type = of()
      const asked = getList(type, toRead('findMany', query, LIST))
      const [first] = inForm(type, asked, await type.entries.findMany({ ...asked, limit: 1 }))
      return first ?? null
    },
    async findOne(query) {
      const type = of()
      const { documentId, ...question } = query
      const asked = toRead('findOne', question, ONE)
      const id = getId('findOne', documentId)
      assertOneLocale(type, 'findOne', asked)
      const found = await type.entries.findOne(id, { ...asked, status: asked.status ?? 'draft' })
      return found === null ? null : oneInForm(type, asked, found)
    },
    count: async (query = {}) => {
      const type = of()
      return type.entries.count(getList(type, toRead('count', query, ['filters', 'status', 'locale'])))
    },
    async create({ data, ...query }) {
      const type = of()
      const asked = toWrite('create', query, ONE)
      const written = getData('create', data)
      assertOneLocale(type, 'create', asked)
      const made = await type.entries.create(written, { ...asked, status: asked.status ?? 'draft' })
      return oneInForm(type, asked, made)
    },
    async update({ documentId, data, ...query }) {
      const type = of()
      const { entries } = type
      const id = getId('update', documentId)
      const asked = toWrite('update', query, ONE)
      const written = getData('update', data)
      assertOneLocale(type, 'update', asked)
      const known = await entries.count({
        filters: { documentId: { $eq: id } },
        status: 'draft',
        locale: '*',
      })
      if (known === 0) return null
      const changed = await entries.update(id, written, { ...asked, status: asked.status ?? 'draft' })
      return oneInForm(type, asked, changed)
    },
    async delete(query) {
      const type = of()
      const { documentId: _, locale: __, ...others } = query
      const choice = toWrite('delete', others, CHOICE)
      const drafts = await versions(type, 'delete', query, choice, 'draft')
      const published = type.hasVersions ? await versions(type, 'delete', query, choice, 'published') : []
      for (const { locale } of drafts) await type.entries.delete(query.documentId, inLocale(locale))
      return { documentId: query.documentId, entries: [...drafts, ...published] }
    },
  }
  const around = <Query extends object, Result>(action: string, call: (query: Query) => Promise<Result>) =>
    surroundCall(() => of().uid, action, call)
  const reads: Pick<StrapiDocuments, 'findMany' | 'findFirst' | 'findOne' | 'count'> = {
    findMany: around('findMany', documents.findMany),
    findFirst: around('findFirst', documents.findFirst),
    findOne: around('findOne', documents.findOne),
    count: around('count', documents.count),
  }
  return Object.defineProperties(Object.assign(documents, reads), {
    publish: actions('publish'),
    unpublish: actions('unpublish'),
    discardDraft: actions('discardDraft'),
  }) as StrapiDocuments

  async function act(action: VersionAction, query: VersionsQuery): Promise<ChangedVersions> {
    const type = of()
    const { documentId, locale: _, ...others } = query
    const choice = toWrite(action, others, CHOICE)
    const found = await versions(type, action, query, choice, action === 'publish' ? 'draft' : 'published')
    const changed: EntryObject[] = []
    for (const { locale } of found) {
      const asked = { ...choice, ...inLocale(locale) }
      changed.push(oneInForm(type, asked, await type.entries[action](documentId, asked)))
    }
    // Unpublishing returns the entries as they were.
    return { documentId, entries: action === 'unpublish' ? found : changed }
  }
}

/** Includes `locale` regardless of `fields`. */
async function versions(
  type: DocumentsOf,
  call: string,
  { documentId, locale }: VersionsQuery,
  choice: EntriesQuery,
  status: 'draft' | 'published',
): Promise<readonly EntryObject[]> {
  const { entries, defaultLocale } = type
  const id = getId(call, documentId)
  const { fields, ...asked } = choice
  const named = locale ?? defaultLocale
  const shown = fields === undefined || defaultLocale === undefined ? fields : [...fields, 'locale']
  const found = await entries.findMany({
    ...asked,
    ...(shown !== undefined && { fields: shown }),
    filters: { documentId: { $eq: id } },
    status,
    locale: '*',
  })
  if (defaultLocale === undefined || named === '*')
    return inForm(type, fields === undefined ? asked : { ...asked, fields }, found)
  return found.filter((entry) => [named].flat().includes(entry['locale'] as string))
}

/** For types without locales, Strapi returns `locale: null`. */
function oneInForm(
  { defaultLocale }: DocumentsOf,
  { fields }: EntriesQuery,
  entry: EntryObject,
): EntryObject {
  if (defaultLocale === undefined && (fields === undefined || fields.includes('*'))) entry['locale'] = null
  return entry
}

function inForm(type: DocumentsOf, asked: EntriesQuery, found: readonly EntryObject[]): EntryObject[] {
  return found.map((entry) => oneInForm(type, asked, entry))
}

function assertOneLocale({ defaultLocale }: DocumentsOf, call: string, { locale }: EntriesQuery): void {
  if (defaultLocale !== undefined && locale === '*')
    throw new ApiError(
      'ValidationError',
      `strapi.documents(…).${call} needs one locale, and "*" is all of them`,
    )
}

function inLocale(locale: unknown): { readonly locale?: string } {
  return typeof locale === 'string' ? { locale } : {}
}

function getList({ defaultLocale }: DocumentsOf, asked: EntriesQuery): EntriesQuery {
  const locale = asked.locale ?? defaultLocale
  return { ...asked, status: asked.status ?? 'draft', ...(locale !== undefined && { locale }) }
}

/** The names of the database, which Strapi's documents take, too. */
interface DatabaseQuery {
  readonly where?: unknown
  readonly select?: unknown
  readonly orderBy?: unknown
  readonly offset?: unknown
}

function withoutUndefined(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

function withEffect(call: string, query: object, known: readonly string[]): object {
  const ignored = WITHOUT_EFFECT[call] ?? []
  return Object.fromEntries(
    Object.entries(query).filter(([key]) => !ignored.includes(key) || known.includes(key)),
  )
}

function buildQuery(call: string, query: object): EntriesQuery {
  const { fields, pagination, _q: search, ...asked } = query as DocumentsQuery
  if (asked.status !== undefined && asked.status !== 'draft' && asked.status !== 'published')
    throw new TypeError(
      `strapi.documents(…).${call}: status is draft or published, not ${JSON.stringify(asked.status)}`,
    )
  return {
    ...asked,
    ...(pagination !== undefined && getRange(pagination)),
    ...(search !== undefined && { search }),
    ...(fields !== undefined && { fields: [fields].flat() }),
  }
}

/** Untyped code may omit the documentId; a write would then create a document. */
function getId(call: string, documentId: unknown): string {
  if (typeof documentId === 'string' && documentId !== '') return documentId
  throw new TypeError(`strapi.documents(…).${call} needs "documentId", a text`)
}

function getData(call: string, data: unknown): Data {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Data
  throw new TypeError(`strapi.documents(…).${call} writes what stands under "data"`)
}
