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

/** `preview`: drafts, too. `scheduled`: those that are published or hidden later. */
export type ViewState = 'preview' | 'draft' | 'live' | 'scheduled'

export interface View {
  readonly search: string
  readonly filters: readonly Filter[]
  /** `name:desc`; empty: the API's default order. */
  readonly sort: string
  readonly page: number
  readonly pageSize: number
  readonly locale: string
  readonly state: ViewState
}

export interface EntryPage {
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

type Condition = Readonly<Record<string, unknown>>

/** The conditions of a view on attributes, as `filters`; a name may be a path: `author.id`. */
function listConditions(filters: readonly Filter[]): readonly Condition[] {
  return filters
    .filter((filter) => filter.value !== '' || isValueless(filter))
    .map(({ name, operator, value }) => {
      const sent = isValueless({ operator }) ? 'true' : operator === '$in' ? splitList(value) : value
      const nested = name.split('.').toReversed()
      return nested.reduce<Condition>((inner, key) => ({ [key]: inner }), { [operator]: sent })
    })
}

function splitList(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** In whole minutes, so that the same view stays the same request for a while. */
function listScheduleConditions({ schedule }: Type, state: ViewState): readonly Condition[] {
  if (schedule === undefined || state !== 'scheduled') return []
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
  const names = [schedule.publishAt, schedule.unpublishAt].filter((name) => name !== undefined)
  return [{ $or: names.map((name) => ({ [name]: { $gt: now } })) }]
}

function isDraftList({ draftAndPublish }: Type, state: ViewState): boolean {
  return !draftAndPublish || state !== 'live'
}

/** Undefined if filters cannot say the view: a search, and versions of documents. */
export function buildViewFilters(type: Type, model: Model, view: View): Condition | undefined {
  const { state, filters, search } = view
  const isVersion = type.draftAndPublish && (state === 'draft' || state === 'live')
  if (search !== '' || (isVersion && model.dialect === 'strapi-5')) return undefined
  const published = { publishedAt: state === 'draft' ? { $null: 'true' } : { $notNull: 'true' } }
  const conditions = [
    ...listConditions(filters),
    ...listScheduleConditions(type, state),
    ...(isVersion ? [published] : []),
  ]
  return conditions.length === 0 ? {} : { $and: conditions }
}

/** The parameters that select the entries of a view. */
export function buildSelection(
  type: Type,
  model: Model,
  view: View,
  populate: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { search, locale, state } = view
  const isDraftState = type.draftAndPublish && state === 'draft'
  const conditions = [
    ...listConditions(view.filters),
    ...listScheduleConditions(type, state),
    ...(isDraftState && model.dialect === 'strapi-4' ? [{ publishedAt: { $null: 'true' } }] : []),
  ]
  return {
    ...shownState(type, model, isDraftList(type, state), populate),
    ...(isDraftState && model.dialect === 'strapi-5' && { hasPublishedVersion: 'false' }),
    ...getLocale(type, model, locale),
    _q: search,
    ...(conditions.length === 0 ? {} : { filters: { $and: conditions } }),
  }
}

interface ReadOptions {
  /** Names of attributes; all of them by default. */
  readonly fields?: readonly string[] | undefined
  /** How many entries the view has, if that was read before: counting a large type takes long. */
  readonly total?: number | undefined
}

export async function readPage(
  type: Type,
  model: Model,
  view: View,
  populate: Readonly<Record<string, unknown>>,
  { fields = [], total }: ReadOptions = {},
): Promise<EntryPage> {
  const { sort, page, pageSize, state } = view
  const pagination = { page, pageSize, withCount: String(total === undefined) }
  const selection = buildSelection(type, model, view, populate)
  const query = queryText({ ...selection, fields, sort, pagination, populate })
  const { data, meta } = await api<ListResponse>(getAddress(type, undefined, query))
  const read = data.flatMap((item) => toEntry(item) ?? [])
  const entries = state === 'live' ? read : await withVersions(type, model, read, view.locale)
  const counted = meta.pagination.total ?? total ?? 0
  return { entries, total: counted, pageCount: Math.max(1, Math.ceil(counted / pageSize)) }
}

/** The API returns at most so many entries at once, of any locale. */
const MAX_READ_ENTRIES = 100

async function readVersions(
  type: Type,
  model: Model,
  drafts: readonly Entry[],
  locale: string,
  query: Readonly<Record<string, unknown>>,
): Promise<readonly Entry[]> {
  const locales = type.locales === undefined || locale !== 'all' ? 1 : type.locales.length
  const size = Math.max(1, Math.floor(MAX_READ_ENTRIES / locales))
  const keys = [...new Set(drafts.map(getKey))]
  const read: Entry[] = []
  for (let at = 0; at < keys.length; at += size) {
    const text = queryText({
      ...getLocale(type, model, locale),
      filters: { documentId: { $in: keys.slice(at, at + size) } },
      fields: ['publishedAt', ...(type.locales === undefined ? [] : ['locale'])],
      pagination: { pageSize: MAX_READ_ENTRIES, withCount: 'false' },
      ...query,
    })
    const { data } = await api<ListResponse>(getAddress(type, undefined, text))
    read.push(...data.flatMap((item) => toEntry(item) ?? []))
  }
  return read
}

/** Names a document in its locale. */
export function getVersionKey(entry: Entry): string {
  return `${getKey(entry)} ${entry['locale']}`
}

/**
 * Drafts of Strapi 5 do not say whether they are published, so `publishedAt` is copied from the published
 * version.
 */
async function withVersions(
  type: Type,
  model: Model,
  drafts: readonly Entry[],
  locale = 'all',
): Promise<readonly Entry[]> {
  if (model.dialect !== 'strapi-5' || !type.draftAndPublish || drafts.length === 0) return drafts
  const published = await readVersions(type, model, drafts, locale, buildStateParams(model, false))
  const versions = new Map(published.map((entry) => [getVersionKey(entry), entry['publishedAt']]))
  return drafts.map((draft) => ({ ...draft, publishedAt: versions.get(getVersionKey(draft)) ?? null }))
}

/** Keys of the published documents whose draft has changed since. */
export async function readModified(
  type: Type,
  model: Model,
  drafts: readonly Entry[],
  locale: string,
): Promise<ReadonlySet<string>> {
  const published = drafts.filter((entry) => entry['publishedAt'] !== null)
  if (model.dialect !== 'strapi-5' || !type.draftAndPublish || published.length === 0) return new Set()
  const query = { ...buildStateParams(model, true), publicationFilter: 'modified' }
  return new Set((await readVersions(type, model, published, locale, query)).map(getVersionKey))
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
