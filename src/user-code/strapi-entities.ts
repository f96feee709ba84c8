// `strapi.entityService` for users' code, implemented with `cms.entries`.

import type { Entries, EntriesQuery } from './entries-query.ts'
import { findPage, getKey, getRange, type PageOfEntries } from './strapi-core-entries.ts'

type Query = Readonly<Record<string, unknown>>

export interface EntityService {
  findMany(uid: string, query?: Query): Promise<unknown>
  /** `{ results, pagination }` of `page` and `pageSize`. */
  findPage(uid: string, query?: Query): Promise<PageOfEntries>
  findOne(uid: string, id: number | string, query?: Query): Promise<unknown>
  count(uid: string, query?: Query): Promise<number>
  create(uid: string, query: Query): Promise<unknown>
  update(uid: string, id: number | string, query: Query): Promise<unknown>
  delete(uid: string, id: number | string): Promise<unknown>
}

export function createEntityService(entries: (uid: string) => Entries): EntityService {
  return {
    findMany: (uid, query = {}) => entries(uid).findMany(buildQuery(query)),
    findPage: async (uid, { page, pageSize, pagination = { page, pageSize }, ...query } = {}) =>
      findPage(entries(uid), buildQuery(query), pagination),
    findOne: (uid, id, query = {}) => entries(uid).findOne(getKey(id), buildQuery(query)),
    count: (uid, query = {}) => entries(uid).count(buildQuery(query)),
    create: (uid, { data, ...query }) => entries(uid).create(getData(data), buildQuery(query)),
    update: (uid, id, { data, ...query }) =>
      entries(uid).update(getKey(id), getData(data), buildQuery(query)),
    delete: (uid, id) => entries(uid).delete(getKey(id)),
  }
}

const QUERY = [
  'filters',
  'sort',
  'fields',
  'populate',
  'start',
  'limit',
  'publicationState',
  'status',
  'locale',
  '_q',
  'page',
  'pageSize',
  'pagination',
]

function buildQuery(query: Query): EntriesQuery {
  const other = Object.keys(query).find((key) => !QUERY.includes(key))
  if (other !== undefined)
    throw new TypeError(`strapi.entityService takes no "${other}" here; it takes ${QUERY.join(', ')}`)
  const { fields, _q: search, page, pageSize, pagination, ...others } = query
  const isPaged = pagination !== undefined || page !== undefined || pageSize !== undefined
  return {
    ...others,
    ...(isPaged && getRange(pagination ?? { page, pageSize })),
    ...(fields !== undefined && { fields: [fields].flat() as string[] }),
    ...(typeof search === 'string' && { search }),
  }
}

function getData(data: unknown): Query {
  if (typeof data === 'object' && data !== null) return data as Query
  throw new TypeError('strapi.entityService writes what stands under "data"')
}
