// `strapi.entityService` for users' code, implemented with `cms.entries`.

import type { Entries, EntriesQuery } from './entries-query.ts'
import type { QueryKeys } from './known-keys.ts'
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

export function createEntityService(entries: (uid: string) => Entries, keys: QueryKeys): EntityService {
  const toRead = (query: Query): EntriesQuery => buildQuery(keys.pick(CALL, query, QUERY))
  const toWrite = (query: Query): EntriesQuery => buildQuery(keys.require(CALL, query, QUERY))
  return {
    findMany: (uid, query = {}) => entries(uid).findMany(toRead(query)),
    findPage: async (uid, { page, pageSize, pagination = { page, pageSize }, ...query } = {}) =>
      findPage(entries(uid), toRead(query), pagination),
    findOne: (uid, id, query = {}) => entries(uid).findOne(getKey(id), toRead(query)),
    count: (uid, query = {}) => entries(uid).count(toRead(query)),
    create: (uid, { data, ...query }) => entries(uid).create(getData(data), toWrite(query)),
    update: (uid, id, { data, ...query }) => entries(uid).update(getKey(id), getData(data), toWrite(query)),
    delete: (uid, id) => entries(uid).delete(getKey(id)),
  }
}

const CALL = 'strapi.entityService'
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
