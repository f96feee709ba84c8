// The parameters and results of `cms.entries()`.

import { writeDates } from '../lib/date-texts.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Params } from '../plan/params.ts'
import type { AggregateRow } from '../query/reads.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import { parseSort } from '../rest/parse-level.ts'
import { parsePopulate } from '../rest/parse-populate.ts'
import type { QueryValue } from '../rest/query-string.ts'

export interface EntriesQuery {
  /** As in REST: `{ name: { $contains: 'x' }, author: { id: 1 } }`. */
  readonly filters?: Readonly<Record<string, unknown>>
  /** As `_q` in REST; over `index: text` the most relevant entries come first if there is no `sort`. */
  readonly search?: string
  /** For types with `index: text`: `_highlight` of each entry is HTML by attribute, with the words of `search` in `<mark>`. */
  readonly highlight?: boolean
  /** `'name:desc'`, a list of these, or `{ name: 'desc' }`. */
  readonly sort?: QueryValue
  readonly fields?: readonly string[]
  /** `'*'`, names, or options by name. */
  readonly populate?: QueryValue
  readonly start?: number
  readonly limit?: number
  /** Default `preview`, because the caller is users' code. */
  readonly publicationState?: 'live' | 'preview'
  /**
   * For `dialect: strapi-5`: reads return drafts unless it is `published`; writes publish unless it is
   * `draft`.
   */
  readonly status?: 'draft' | 'published' | undefined
  /** Default `all`; for one document and for writes, the default locale. */
  readonly locale?: string
}

export interface AggregateQuery
  extends Pick<
    EntriesQuery,
    'filters' | 'search' | 'publicationState' | 'status' | 'locale' | 'start' | 'limit'
  > {
  /** Names by function: `{ count: '*', avg: ['rating', 'author.age'] }`. */
  readonly aggregate?: Readonly<Record<string, string | readonly string[]>>
  /** `author.name`, `month(createdAt)`. */
  readonly groupBy?: string | readonly string[]
  /** `{ count: { $gt: 1 } }`. */
  readonly having?: Readonly<Record<string, unknown>>
  /** `'avg.rating:desc'`, or a name of `groupBy`. */
  readonly sort?: string | readonly string[]
}

export interface VersionCondition {
  /** The `version` of the entry when it was read: a non-enumerable property of the entries that `findOne` and writes return. */
  readonly ifVersion?: number
}

export type OneQuery = Pick<EntriesQuery, 'fields' | 'populate' | 'status' | 'locale'>

export type Data = Readonly<Record<string, unknown>>

/** Reads and writes the entries of one content-type, addressed by an entry's id or a `documentId`. */
export interface Entries {
  findMany(query?: EntriesQuery): Promise<EntryObject[]>
  findOne(id: number | string, query?: OneQuery): Promise<EntryObject | null>
  count(
    query?: Pick<EntriesQuery, 'filters' | 'search' | 'publicationState' | 'status' | 'locale'>,
  ): Promise<number>
  /** Groups of entries, without a limit: `{ aggregate: { avg: 'rating' }, groupBy: 'author.name' }`. */
  aggregate(query?: AggregateQuery): Promise<AggregateRow[]>
  /** Rejects with ValidationError; `details.errors` lists all faults. */
  create(data: Data, query?: OneQuery): Promise<EntryObject>
  /** Rejects with NotFoundError, ValidationError, or PreconditionFailedError if the entry has another version. */
  update(id: number | string, data: Data, query?: OneQuery & VersionCondition): Promise<EntryObject>
  /** Deletes both versions in the locale, or with `*` in all; resolves with the former draft. */
  delete(id: number | string, query?: Pick<EntriesQuery, 'locale'> & VersionCondition): Promise<EntryObject>
  /** Publishes the draft of a document. This and the next two reject with TypeError in `strapi-4`. */
  publish(id: number | string, query?: OneQuery): Promise<EntryObject>
  /** Deletes the published version. */
  unpublish(id: number | string, query?: OneQuery): Promise<EntryObject>
  /** Replaces the draft by the published version. */
  discardDraft(id: number | string, query?: OneQuery): Promise<EntryObject>
  /**
   * All or none: rejects with ValidationError; the paths in `details.errors` begin with the index of the item. This and the
   * next four reject with TypeError for a single type.
   */
  createMany(items: readonly Data[], query?: OneQuery): Promise<EntryObject[]>
  /** Changes every entry that matches; `{}` matches all. */
  updateMany(filters: EntriesFilters, data: Data, query?: OneQuery): Promise<EntryObject[]>
  /** Resolves with the former entries. */
  deleteMany(filters: EntriesFilters, query?: OneQuery): Promise<EntryObject[]>
  /** Updates the entry with the same value of `on`, a declared unique attribute or set, or creates it. */
  upsert(on: string | readonly string[], data: Data, query?: OneQuery): Promise<EntryObject>
  upsertMany(on: string | readonly string[], items: readonly Data[], query?: OneQuery): Promise<EntryObject[]>
}

type EntriesFilters = NonNullable<EntriesQuery['filters']>

/** `ignoresUnknown`: of queries of `strapi`. */
export function buildParams(query: EntriesQuery & Pick<Params, 'ignoresUnknown'>): Params {
  return {
    publicationState: query.publicationState ?? 'preview',
    locale: query.locale ?? 'all',
    ...(query.filters === undefined ? {} : { filters: writeDates(query.filters) }),
    ...(query.search === undefined ? {} : { search: query.search }),
    ...(query.highlight === true && { highlights: true }),
    ...(query.sort === undefined ? {} : { sort: parseSort(query.sort) }),
    ...(query.fields === undefined ? {} : { fields: query.fields }),
    ...(query.ignoresUnknown !== undefined && { ignoresUnknown: query.ignoresUnknown }),
    ...(query.populate === undefined ? {} : { populate: parsePopulate(asText(query.populate)) }),
  }
}

/** Converts booleans and numbers to query-string text; values in filters stay. */
function asText(value: QueryValue): QueryValue {
  if (Array.isArray(value)) return value.map(asText)
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'filters' ? inner : asText(inner)]),
    )
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : value
}
