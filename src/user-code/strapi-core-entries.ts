// `strapi.service('api::article.article')`, the core service of a content-type, implemented with `cms.entries`.

import { isRecord } from '../lib/is-record.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Data, Entries, EntriesQuery } from './entries-query.ts'

/** The parameters of a request; `data` for writes. */
type Params = Readonly<Record<string, unknown>>

export interface PageOfEntries {
  readonly results: readonly EntryObject[]
  readonly pagination: Readonly<Record<string, number>>
}

/** By id, or of documents by documentId. */
export interface StrapiCoreService {
  /** Of a single type its entry, or null. */
  find(params?: Params): Promise<PageOfEntries | EntryObject | null>
  findOne(id: number | string, params?: Params): Promise<EntryObject | null>
  /** Published, unless the data has `publishedAt: null`. */
  create(params: Params): Promise<EntryObject>
  update(id: number | string, params: Params): Promise<EntryObject>
  delete(id: number | string): Promise<EntryObject>
  /** Of a single type. */
  createOrUpdate(params: Params): Promise<EntryObject>
  /** The parameters, for published entries unless they ask for others. */
  getFetchParams(params?: Params): Params
}

export interface ServedType {
  readonly uid: string
  readonly entries: Entries
  readonly isSingle: boolean
  readonly isDocument: boolean
  readonly draftAndPublish: boolean
}

const DEFAULT_PAGE_SIZE = 25
const KEYS = ['filters', 'sort', 'fields', 'populate', 'publicationState', 'status', 'locale', '_q']

/** `getType` runs at each call: content exists only from `bootstrap` on. */
export function createCoreService(getType: () => ServedType): StrapiCoreService {
  const service: StrapiCoreService = {
    async find(params = {}) {
      const type = getType()
      const query = toQuery(type, params)
      if (type.isSingle) return (await type.entries.findMany({ ...query, limit: 1 }))[0] ?? null
      return findPage(type.entries, query, params['pagination'])
    },
    async findOne(id, params = {}) {
      const type = getType()
      const { fields, populate, status, locale } = toQuery(type, params)
      const choice = Object.entries({ fields, populate, ...(type.isDocument && { status, locale }) })
      // An entry of Strapi 4 is found by its id, published or not.
      return type.entries.findOne(
        getKey(id),
        Object.fromEntries(choice.filter(([, value]) => value !== undefined)),
      )
    },
    async create({ data, ...params }) {
      const type = getType()
      const published =
        type.draftAndPublish && !type.isDocument ? { publishedAt: new Date().toISOString() } : {}
      return type.entries.create({ ...published, ...getData(type, data) }, toQuery(type, params))
    },
    update: async (id, { data, ...params }) => {
      const type = getType()
      return type.entries.update(getKey(id), getData(type, data), toQuery(type, params))
    },
    delete: async (id) => getType().entries.delete(getKey(id)),
    getFetchParams: (params = {}) => ({ ...getLive(getType()), ...params }),
    async createOrUpdate(params) {
      const type = getType()
      const [found] = await type.entries.findMany({ limit: 1, ...(type.isDocument && { status: 'draft' }) })
      const key = found?.['documentId'] ?? found?.id
      return key === undefined ? service.create(params) : service.update(key as number | string, params)
    },
  }
  return service
}

/** `given`: `{ page, pageSize }`, or `{ start, limit }`. */
export async function findPage(
  entries: Entries,
  query: EntriesQuery,
  given: unknown,
): Promise<PageOfEntries> {
  const { start, limit, ...place } = readPage(given)
  const results = await entries.findMany({ ...query, start, limit })
  if (isRecord(given) && String(given['withCount'] ?? true) === 'false')
    return { results, pagination: place.page === undefined ? { start, limit } : place }
  const { filters, publicationState, status, locale } = query
  const total = await entries.count(
    Object.fromEntries(
      Object.entries({ filters, publicationState, status, locale }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
  )
  if (place.page === undefined) return { results, pagination: { start, limit, total } }
  return { results, pagination: { ...place, pageCount: Math.ceil(total / limit), total } }
}

interface PageRange {
  readonly start: number
  readonly limit: number
  /** Undefined for pages by offset. */
  readonly page?: number
  readonly pageSize?: number
}

/** Of `{ page, pageSize }`, or `{ start, limit }`. */
export function getRange(given: unknown): { readonly start: number; readonly limit: number } {
  const { start, limit } = readPage(given)
  return { start, limit }
}

/** Throws TypeError if a value is not a whole number. */
function readPage(given: unknown): PageRange {
  const pagination = isRecord(given) ? given : {}
  const isOffset = pagination['start'] !== undefined || pagination['limit'] !== undefined
  const limit = getNumber(pagination[isOffset ? 'limit' : 'pageSize'], DEFAULT_PAGE_SIZE)
  if (isOffset) return { start: getNumber(pagination['start'], 0, 0), limit }
  const page = getNumber(pagination['page'], 1)
  return { start: (page - 1) * limit, limit, page, pageSize: limit }
}

function getLive({ isDocument }: Pick<ServedType, 'isDocument'>): EntriesQuery {
  return isDocument ? { status: 'published' } : { publicationState: 'live' }
}

/** Requests find published entries, unless they ask for others. */
function toQuery({ isDocument }: ServedType, params: Params): EntriesQuery {
  // Controllers hand on the query of a request, which may have other names.
  const known = Object.entries(params).filter(([name]) => KEYS.includes(name))
  const { fields, _q: search, ...query } = Object.fromEntries(known)
  return {
    ...getLive({ isDocument }),
    ...query,
    ...(fields !== undefined && { fields: [fields].flat().map(String) }),
    ...(typeof search === 'string' && { search }),
  }
}

/** Strapi's code passes ids as texts, too. */
export function getKey(id: number | string): number | string {
  return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id
}

function getNumber(value: unknown, standard: number, least = 1): number {
  const number = Number(value ?? standard)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new TypeError(`pagination takes whole numbers from ${least}, not ${String(value)}`)
}

function getData({ uid }: ServedType, data: unknown): Data {
  if (isRecord(data)) return data
  throw new TypeError(`strapi.service('${uid}') writes what stands under "data"`)
}
