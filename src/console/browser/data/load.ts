// Reads entries through the API, in either API version.

import type { Entry, Model, Type } from '../../described.ts'
import { api, apiWithTag, RequestError, type Tagged } from '../server.ts'
import { getPopulate, queryText, toEntry } from './values.ts'

export interface Filter {
  readonly name: string
  readonly operator: string
  readonly value: string
}

export function isValueless({ operator }: Pick<Filter, 'operator'>): boolean {
  return operator === '$null' || operator === '$notNull'
}

export interface View {
  readonly search: string
  readonly filters: readonly Filter[]
  /** `name:desc`; empty: the API's default order. */
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

interface ListResponse {
  readonly data: readonly unknown[]
  readonly meta: { readonly pagination: { readonly total?: number; readonly pageCount?: number } }
}

export function getKey(entry: Entry): string {
  return String(entry['documentId'] ?? entry.id)
}

/** A document has one page per locale. */
export function getPage(type: Type, entry: Entry): string {
  const inLocale = entry['documentId'] !== undefined && type.locales !== undefined
  return `/data/${type.name}/${getKey(entry)}${inLocale ? `?locale=${entry['locale']}` : ''}`
}

export function buildStateParams({ dialect }: Model, drafts: boolean): Readonly<Record<string, string>> {
  return dialect === 'strapi-5'
    ? { status: drafts ? 'draft' : 'published' }
    : { publicationState: drafts ? 'preview' : 'live' }
}

/**
 * Also requests drafts of links for types without drafts, because saving a form that does not show a link
 * would remove it. Strapi 4's parameter is omitted if it has no effect, since the API would refuse it.
 */
function shownState(
  type: Type,
  model: Model,
  drafts: boolean,
  populate: object,
): Readonly<Record<string, string>> {
  const hasEffect = type.draftAndPublish || Object.keys(populate).length > 0
  return model.dialect === 'strapi-5' || hasEffect ? buildStateParams(model, drafts) : {}
}

export function getLocale(
  type: Type,
  model: Model,
  locale: string | undefined,
): Readonly<Record<string, string>> {
  if (type.locales === undefined || locale === undefined) return {}
  return { locale: locale === 'all' && model.dialect === 'strapi-5' ? '*' : locale }
}

export function getAddress(type: Type, id: string | undefined, query = ''): string {
  return `${type.path}${id === undefined ? '' : `/${id}`}${query === '' ? '' : `?${query}`}`
}

/** The conditions of a view on attributes, as `filters`. */
export function listConditions({
  filters,
}: Pick<View, 'filters'>): readonly Readonly<Record<string, unknown>>[] {
  return filters
    .filter((filter) => filter.value !== '' || isValueless(filter))
    .map(({ name, operator, value }) => ({
      [name]: { [operator]: isValueless({ operator }) ? 'true' : value },
    }))
}

/** The parameters that select the entries of a view. */
function buildSelection(
  type: Type,
  model: Model,
  view: View,
  populate: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { search, locale, state } = view
  const conditions = listConditions(view)
  return {
    ...shownState(type, model, !type.draftAndPublish || state === 'preview', populate),
    ...getLocale(type, model, locale),
    _q: search,
    ...(conditions.length === 0 ? {} : { filters: { $and: conditions } }),
  }
}

function buildQuery(
  type: Type,
  model: Model,
  view: View,
  populate: Readonly<Record<string, unknown>>,
): string {
  const { sort, page, pageSize } = view
  const pagination = { page, pageSize, withCount: 'true' }
  return queryText({ ...buildSelection(type, model, view, populate), sort, pagination, populate })
}

export interface Group {
  readonly value: string | number | boolean | null
  readonly count: number
}

export interface Counts {
  readonly groups: readonly Group[]
  /** Of all entries of the view; only of numbers. */
  readonly numbers: Readonly<Record<'min' | 'max' | 'avg' | 'sum', number | string | null>> | undefined
}

const MAX_GROUPS = 50

/** How many entries of the view have each value of the attribute, the most frequent first. */
export async function readCounts(
  type: Type,
  model: Model,
  view: View,
  name: string,
  isNumber: boolean,
): Promise<Counts> {
  const selection = buildSelection(type, model, view, {})
  const read = async (query: Readonly<Record<string, unknown>>): Promise<readonly Summary[]> => {
    const address = `${type.path}/aggregate?${queryText({ ...selection, ...query })}`
    return (await api<{ data: readonly Summary[] }>(address)).data
  }
  const pagination = { pageSize: MAX_GROUPS }
  const groups = read({ aggregate: { count: '*' }, groupBy: name, sort: 'count:desc', pagination })
  const aggregate = { min: name, max: name, avg: name, sum: name }
  const [numbers] = isNumber ? await read({ aggregate }) : []
  return {
    groups: (await groups).map(({ group, count }) => ({ value: group?.[name] ?? null, count: count ?? 0 })),
    numbers:
      numbers === undefined
        ? undefined
        : {
            min: numbers.min?.[name] ?? null,
            max: numbers.max?.[name] ?? null,
            avg: numbers.avg?.[name] ?? null,
            sum: numbers.sum?.[name] ?? null,
          },
  }
}

type Measures = Readonly<Record<string, number | string | null>>

interface Summary {
  readonly group?: Readonly<Record<string, Group['value']>>
  readonly count?: number
  readonly min?: Measures
  readonly max?: Measures
  readonly avg?: Measures
  readonly sum?: Measures
}

export async function readPage(
  type: Type,
  model: Model,
  view: View,
  populate: Readonly<Record<string, unknown>>,
): Promise<Page> {
  const { data, meta } = await api<ListResponse>(
    getAddress(type, undefined, buildQuery(type, model, view, populate)),
  )
  const read = data.flatMap((item) => toEntry(item) ?? [])
  const entries = view.state === 'live' ? read : await withVersions(type, model, read)
  return { entries, total: meta.pagination.total ?? 0, pageCount: meta.pagination.pageCount ?? 1 }
}

/**
 * Drafts of Strapi 5 do not say whether they are published, so `publishedAt` is copied from the published
 * version.
 */
async function withVersions(type: Type, model: Model, drafts: readonly Entry[]): Promise<readonly Entry[]> {
  if (model.dialect !== 'strapi-5' || !type.draftAndPublish || drafts.length === 0) return drafts
  const query = queryText({
    ...buildStateParams(model, false),
    ...getLocale(type, model, 'all'),
    filters: { documentId: { $in: drafts.map(getKey) } },
    fields: ['publishedAt', ...(type.locales === undefined ? [] : ['locale'])],
    pagination: { pageSize: 100 },
  })
  const { data } = await api<ListResponse>(getAddress(type, undefined, query))
  const versions = new Map(
    data.flatMap((item) => {
      const entry = toEntry(item)
      return entry === undefined ? [] : [[`${getKey(entry)} ${entry['locale']}`, entry['publishedAt']]]
    }),
  )
  return drafts.map((draft) => ({
    ...draft,
    publishedAt: versions.get(`${getKey(draft)} ${draft['locale']}`) ?? null,
  }))
}

export async function readEntry(
  type: Type,
  model: Model,
  id: string | undefined,
  locale?: string,
): Promise<Entry | undefined> {
  return (await readTagged(type, model, id, locale)).value
}

/** The tag names the version of the entry, for a write that must not undo a later one. */
export async function readTagged(
  type: Type,
  model: Model,
  id: string | undefined,
  locale?: string,
): Promise<Tagged<Entry | undefined>> {
  const populate = { ...getPopulate(type.attributes, model), ...(type.locales && { localizations: 'true' }) }
  // In Strapi 4 an id names an entry in its locale, published or not.
  const isNamed = model.dialect === 'strapi-4' && id !== undefined
  const query = queryText({
    ...(isNamed && Object.keys(populate).length === 0 ? {} : shownState(type, model, true, populate)),
    ...(isNamed ? {} : getLocale(type, model, locale)),
    ...(Object.keys(populate).length === 0 ? {} : { populate }),
  })
  try {
    const { value, tag } = await apiWithTag<{ data: unknown }>(getAddress(type, id, query))
    const entry = toEntry(value.data)
    if (entry === undefined || type.kind === 'collectionType') {
      const [found] = await withVersions(type, model, entry === undefined ? [] : [entry])
      return { value: found, tag }
    }
    return { value: await withVersion(type, model, entry), tag }
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return { value: undefined, tag: undefined }
    throw error
  }
}

async function withVersion(type: Type, model: Model, draft: Entry): Promise<Entry> {
  if (model.dialect !== 'strapi-5' || !type.draftAndPublish) return draft
  const query = queryText({
    ...buildStateParams(model, false),
    ...getLocale(type, model, String(draft['locale'])),
  })
  try {
    const { data } = await api<{ data: unknown }>(getAddress(type, undefined, query))
    return { ...draft, publishedAt: toEntry(data)?.['publishedAt'] ?? null }
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return { ...draft, publishedAt: null }
    throw error
  }
}

export async function searchEntries(
  type: Type,
  model: Model,
  text: string,
  page: number,
  pageSize: number,
): Promise<{ readonly entries: readonly Entry[]; readonly more: boolean }> {
  if (type.path === undefined) return { entries: [], more: false }
  const query = queryText({
    ...shownState(type, model, true, {}),
    ...getLocale(type, model, 'all'),
    _q: text,
    pagination: { page, pageSize, withCount: 'true' },
  })
  const { data, meta } = await api<ListResponse>(getAddress(type, undefined, query))
  const more = page < (meta.pagination.pageCount ?? 1)
  return { entries: data.flatMap((item) => toEntry(item) ?? []), more }
}
