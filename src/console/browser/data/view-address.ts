// Keeps the view of a list in the address, so that back, reload and a sent address show the same.

import type { Type } from '../../described.ts'
import type { Filter, View, ViewState } from './load.ts'

export const PAGE_SIZES = [25, 50, 100] as const

/** A view, and the columns that show it; undefined: those of the content-type. */
export interface ListView extends View {
  readonly columns: readonly string[] | undefined
}

const STATES: readonly string[] = ['draft', 'live', 'scheduled'] satisfies readonly ViewState[]

/** Unknown and impossible values become those of the first view. */
export function parseView(
  { defaultLocale = '', locales, attributes }: Type,
  query: URLSearchParams,
): ListView {
  const locale = query.get('locale') ?? ''
  const known = locale === 'all' || locales?.includes(locale) === true
  const state = query.get('state') ?? ''
  const size = Number(query.get('size'))
  const columns = query.get('columns')?.split(',')
  return {
    search: query.get('search') ?? '',
    filters: query.getAll('where').flatMap((text) => parseFilter(text, attributes) ?? []),
    sort: query.get('sort') ?? '',
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    pageSize: PAGE_SIZES.find((one) => one === size) ?? PAGE_SIZES[0],
    locale: locales !== undefined && known ? locale : defaultLocale,
    state: STATES.includes(state) ? (state as ViewState) : 'preview',
    columns,
  }
}

const FILTER = /^([^:]+):(\$[a-zA-Z]+):(.*)$/s
const SYSTEM_NAMES = ['id', 'createdAt', 'updatedAt', 'publishedAt']

function parseFilter(text: string, attributes: Type['attributes']): Filter | undefined {
  const [, name = '', operator = '', value = ''] = FILTER.exec(text) ?? []
  const [first = ''] = name.split('.')
  const known = SYSTEM_NAMES.includes(first) || attributes.some((one) => one.name === first)
  return known ? { name, operator, value } : undefined
}

/** Leaves out what is as at first. */
export function formatView({ defaultLocale = '' }: Type, view: ListView): string {
  const { search, filters, sort, page, pageSize, locale, state, columns } = view
  const query = new URLSearchParams()
  const add = (name: string, value: string, first = ''): void => {
    if (value !== first) query.append(name, value)
  }
  add('state', state, 'preview')
  add('search', search)
  for (const { name, operator, value } of filters) query.append('where', `${name}:${operator}:${value}`)
  add('sort', sort)
  add('locale', locale, defaultLocale)
  add('columns', columns?.join(',') ?? '')
  add('size', String(pageSize), String(PAGE_SIZES[0]))
  add('page', String(page), '1')
  return query.toString()
}

export function getListAddress(type: Type, query: string): string {
  return `/data/${type.name}${query === '' ? '' : `?${query}`}`
}
