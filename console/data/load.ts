// Reads entries through the API.

import type { Entry, Model, Type } from '../../src/console/described.ts'
import { api, Refused } from '../server.ts'
import { entryOf, populateOf, queryText, type Values } from './values.ts'

export interface Filter {
  readonly name: string
  readonly operator: string
  readonly value: string
}

export interface View {
  readonly search: string
  readonly filters: readonly Filter[]
  /** `name:desc`; empty: as the API sorts. */
  readonly sort: string
  readonly page: number
  readonly pageSize: number
  readonly locale: string
  readonly state: 'preview' | 'live'
}

export interface Page {
  readonly entries: readonly Entry[]
  readonly total: number
  readonly pageCount: number
}

interface ListAnswer {
  readonly data: readonly unknown[]
  readonly meta: { readonly pagination: { readonly total?: number; readonly pageCount?: number } }
}

export function queryOf(type: Type, view: View): string {
  const { search, filters, sort, page, pageSize, locale, state } = view
  const conditions = filters
    .filter(({ operator, value }) => value !== '' || operator === '$null' || operator === '$notNull')
    .map(({ name, operator, value }) => ({
      [name]: { [operator]: operator === '$null' || operator === '$notNull' ? 'true' : value },
    }))
  return queryText({
    ...(type.draftAndPublish ? { publicationState: state } : {}),
    ...(type.locales === undefined ? {} : { locale }),
    _q: search,
    ...(conditions.length === 0 ? {} : { filters: { $and: conditions } }),
    sort,
    pagination: { page, pageSize, withCount: 'true' },
  })
}

/** `links`: names of attributes to populate. */
export async function readPage(type: Type, view: View, links: readonly string[]): Promise<Page> {
  const populate = links.map((name, index) => `&populate[${index}]=${name}`).join('')
  const { data, meta } = await api<ListAnswer>(`${type.path}?${queryOf(type, view)}${populate}`)
  const entries = data.flatMap((item) => entryOf(item) ?? [])
  return { entries, total: meta.pagination.total ?? 0, pageCount: meta.pagination.pageCount ?? 1 }
}

/** Everything of one entry that a form shows; undefined if there is none. `id`: undefined for single types. */
export async function readEntry(
  type: Type,
  model: Model,
  id: string | undefined,
  locale?: string,
): Promise<Entry | undefined> {
  const populate = { ...populateOf(type.attributes, model), ...(type.locales && { localizations: 'true' }) }
  const query = queryText({
    ...(type.draftAndPublish ? { publicationState: 'preview' } : {}),
    ...(type.locales === undefined || locale === undefined ? {} : { locale }),
    ...(Object.keys(populate).length === 0 ? {} : { populate }),
  })
  try {
    const { data } = await api<{ data: unknown }>(`${type.path}${id === undefined ? '' : `/${id}`}?${query}`)
    return entryOf(data)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Entries to choose from: those that match a text. */
export async function searchEntries(type: Type, text: string): Promise<readonly Entry[]> {
  if (type.path === undefined) return []
  const { data } = await api<ListAnswer>(
    `${type.path}?${queryText({
      ...(type.draftAndPublish ? { publicationState: 'preview' } : {}),
      ...(type.locales === undefined ? {} : { locale: 'all' }),
      _q: text,
      pagination: { pageSize: 10 },
    })}`,
  )
  return data.flatMap((item) => entryOf(item) ?? [])
}

export async function removeEntry(type: Type, id: number | undefined): Promise<void> {
  await api(`${type.path}${id === undefined ? '' : `/${id}`}`, 'DELETE')
}

export async function setPublished(type: Type, id: number, published: boolean): Promise<void> {
  const data: Values = { publishedAt: published ? new Date().toISOString() : null }
  await api(`${type.path}/${id}`, 'PUT', { data })
}
