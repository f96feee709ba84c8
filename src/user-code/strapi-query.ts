// `strapi.db.query('api::article.article')` for Strapi's code, implemented with `cms.entries`.

import { isRecord } from '../lib/is-record.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { QueryValue } from '../rest/query-string.ts'
import type { Data, EntriesQuery } from './entries-query.ts'
import type { QueryKeys } from './known-keys.ts'
import type { QueriedEntries } from './row-entries.ts'

/** `where`, `select`, `orderBy`, `limit`, `offset`, `populate`; also `data`, for writes. */
type Question = Readonly<Record<string, unknown>>

export interface StrapiQuery {
  findOne(question?: Question): Promise<EntryObject | null>
  findMany(question?: Question): Promise<EntryObject[]>
  /** The page, and the number of all entries that match. */
  findWithCount(question?: Question): Promise<[EntryObject[], number]>
  create(question: Question): Promise<EntryObject>
  createMany(question: Question): Promise<{ readonly count: number; readonly ids: readonly number[] }>
  /** Changes the first entry that matches; null if none does. */
  update(question: Question): Promise<EntryObject | null>
  updateMany(question: Question): Promise<{ readonly count: number }>
  delete(question: Question): Promise<EntryObject | null>
  deleteMany(question?: Question): Promise<{ readonly count: number }>
  count(question?: Question): Promise<number>
}

/** `getEntries` runs at each call: content exists only from `bootstrap` on. */
export function createStrapiQuery(getEntries: () => QueriedEntries, keys: QueryKeys): StrapiQuery {
  const toRead = (question: Question): EntriesQuery => buildQuery(keys.pick(CALL, question, KEYS))
  const toWrite = (question: Question): EntriesQuery => buildQuery(keys.require(CALL, question, KEYS))
  const query: StrapiQuery = {
    findMany: async (question = {}) => getEntries().findMany(toRead(question)),
    async findOne(question = {}) {
      const [first] = await getEntries().findMany({ ...toRead(question), limit: 1 })
      return first ?? null
    },
    async findWithCount(question = {}) {
      return [await query.findMany(question), await query.count(question)]
    },
    create: async ({ data, ...question }) => getEntries().create(getData(data), toWrite(question)),
    async createMany({ data }) {
      const made = await getEntries().createMany(Array.isArray(data) ? data.map(getData) : [getData(data)])
      return { count: made.length, ids: made.map(({ id }) => id) }
    },
    async update({ data, where, ...question }) {
      const found = await query.findOne({ where, select: ['id'] })
      return found === null ? null : getEntries().update(found.id, getData(data), toWrite(question))
    },
    async updateMany({ data, where }) {
      return { count: (await getEntries().updateMany(toFilters(where), getData(data))).length }
    },
    async delete(question) {
      toWrite(question)
      const found = await query.findOne(question)
      if (found === null) return null
      await getEntries().delete(found.id)
      return found
    },
    deleteMany: async ({ where } = {}) => ({
      count: (await getEntries().deleteMany(toFilters(where))).length,
    }),
    async count(question = {}) {
      const { filters = {} } = toRead(question)
      return getEntries().count({ filters })
    },
  }
  return query
}

const CALL = 'strapi.db.query(…)'
const KEYS = ['where', 'select', 'orderBy', 'limit', 'offset', 'populate']

function buildQuery({ where, select, orderBy, limit, offset, populate }: Question): EntriesQuery {
  const fields = typeof select === 'string' ? [select] : select
  return {
    filters: toFilters(where),
    ...(Array.isArray(fields) && { fields: fields.map(String) }),
    ...(orderBy !== undefined && { sort: orderBy as QueryValue }),
    ...(typeof limit === 'number' && { limit }),
    ...(typeof offset === 'number' && { start: offset }),
    ...(populate !== undefined && { populate: toPopulate(populate) }),
  }
}

/** The names and operators are those of filters. */
function toFilters(where: unknown): Readonly<Record<string, unknown>> {
  if (where === undefined || where === null) return {}
  if (isRecord(where)) return where
  if (Array.isArray(where)) return { $and: where }
  throw new TypeError('strapi.db.query(…) needs an object as "where"')
}

/** `true` is everything one level deep; the options of an attribute have the same keys as a query. */
function toPopulate(populate: unknown): QueryValue {
  if (populate === true) return '*'
  if (!isRecord(populate)) return populate as QueryValue
  return Object.fromEntries(
    Object.entries(populate).flatMap(([name, options]): [string, QueryValue][] => {
      if (options === false) return []
      return [[name, isRecord(options) ? toOptions(options) : ((options ?? true) as QueryValue)]]
    }),
  )
}

const NAMES: Readonly<Record<string, string>> = {
  where: 'filters',
  select: 'fields',
  orderBy: 'sort',
  offset: 'start',
}

function toOptions(options: Question): QueryValue {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      NAMES[key] ?? key,
      key === 'populate' ? toPopulate(value) : (value as QueryValue),
    ]),
  )
}

function getData(data: unknown): Data {
  if (isRecord(data)) return data
  throw new TypeError('strapi.db.query(…) writes what stands under "data"')
}
