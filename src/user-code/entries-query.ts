// The parameters and results of `cms.entries()`.

import { isRecord } from '../lib/is-record.ts'
import type { Params } from '../plan/params.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import { parseSort } from '../rest/parse-level.ts'
import { parsePopulate } from '../rest/parse-populate.ts'
import type { QueryValue } from '../rest/query-string.ts'

export interface EntriesQuery {
  /** As in REST: `{ name: { $contains: 'x' }, author: { id: 1 } }`. */
  readonly filters?: Readonly<Record<string, unknown>>
  /** `'name:desc'`, a list of these, or `{ name: 'desc' }`. */
  readonly sort?: QueryValue
  readonly fields?: readonly string[]
  /** `'*'`, names, or options by name, as in REST. */
  readonly populate?: QueryValue
  readonly start?: number
  readonly limit?: number
  /** Default `preview`: the caller is users' code, not the public. */
  readonly publicationState?: 'live' | 'preview'
  /**
   * Of `dialect: strapi-5`: reads show drafts, which all documents have, unless it is `published`; writes publish, unless
   * it is `draft`.
   */
  readonly status?: 'draft' | 'published' | undefined
  /** Default `all`; of one document, and of writes, the default locale. */
  readonly locale?: string
}

type OneQuery = Pick<EntriesQuery, 'fields' | 'populate' | 'status' | 'locale'>

export type Data = Readonly<Record<string, unknown>>

/** Reads and writes the entries of one content-type. An id is that of an entry, or the `documentId` of a document. */
export interface Entries {
  findMany(query?: EntriesQuery): Promise<EntryObject[]>
  findOne(id: number | string, query?: OneQuery): Promise<EntryObject | null>
  count(query?: Pick<EntriesQuery, 'filters' | 'publicationState' | 'status' | 'locale'>): Promise<number>
  /** Rejects with ValidationError; `details.errors` lists all faults. */
  create(data: Data, query?: OneQuery): Promise<EntryObject>
  /** Rejects with NotFoundError or ValidationError. */
  update(id: number | string, data: Data, query?: OneQuery): Promise<EntryObject>
  /** Of a document: both versions in the locale, or with `*` in all. Resolves with the draft as it was. */
  delete(id: number | string, query?: Pick<EntriesQuery, 'locale'>): Promise<EntryObject>
  /** Makes the draft of a document its published version. This and the next two reject with TypeError in `strapi-4`. */
  publish(id: number | string, query?: OneQuery): Promise<EntryObject>
  /** Takes the published version away. */
  unpublish(id: number | string, query?: OneQuery): Promise<EntryObject>
  /** Puts the published version back into the draft. */
  discardDraft(id: number | string, query?: OneQuery): Promise<EntryObject>
}

export function buildParams(query: EntriesQuery): Params {
  return {
    publicationState: query.publicationState ?? 'preview',
    locale: query.locale ?? 'all',
    ...(query.filters === undefined ? {} : { filters: query.filters }),
    ...(query.sort === undefined ? {} : { sort: parseSort(query.sort) }),
    ...(query.fields === undefined ? {} : { fields: query.fields }),
    ...(query.populate === undefined ? {} : { populate: parsePopulate(asText(query.populate)) }),
  }
}

/** Programs write truth values and numbers, where a query string has their texts. What filters compare stays. */
function asText(value: QueryValue): QueryValue {
  if (Array.isArray(value)) return value.map(asText)
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'filters' ? inner : asText(inner)]),
    )
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : value
}
