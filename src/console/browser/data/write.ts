// Writes entries through the API, in either API version.

import type { Entry, Model, Type } from '../../described.ts'
import { api, apiWithTag } from '../server.ts'
import { buildStateParams, getAddress, getKey, getLocale, readEntry, readTagged } from './load.ts'
import { buildPayload, copyValues, queryText, toEntry, type Values } from './values.ts'

export interface Target {
  readonly id: string | undefined
  readonly isNew: boolean
  readonly locale: string | undefined
  /** Strapi 4: the entry whose content this is in another locale. */
  readonly of: string | undefined
  /** Of the version that the form was filled from; a later one is not overwritten. */
  readonly tag?: string | undefined
  /** Makes a repeated creation of an entry harmless. */
  readonly requestKey?: string | undefined
}

export function writeEntry(
  type: Type,
  model: Model,
  target: Target,
  values: Values,
  publish: boolean | undefined,
): Promise<Entry | undefined> {
  return model.dialect === 'strapi-5'
    ? writeDocument(type, model, target, values, publish)
    : writeRow(type, target, values, publish)
}

async function writeRow(
  type: Type,
  { id, isNew, locale, of, tag, requestKey }: Target,
  values: Values,
  publish: boolean | undefined,
): Promise<Entry | undefined> {
  const data = {
    ...values,
    ...(publish === undefined ? {} : { publishedAt: publishedAt(publish) }),
    ...(isNew && locale !== undefined ? { locale } : {}),
  }
  if (of !== undefined) {
    const path = `${type.path}/${of}/localizations`
    return toEntry((await apiWithTag(path, 'POST', data, undefined, { requestKey })).value)
  }
  const single = type.kind === 'singleType'
  const query = single && locale !== undefined ? queryText({ locale }) : ''
  const method = isNew && !single ? 'POST' : 'PUT'
  const address = getAddress(type, id, query)
  const { value } = await apiWithTag<{ data: unknown }>(address, method, { data }, tag, {
    requestKey: method === 'POST' ? requestKey : undefined,
  })
  return toEntry(value.data)
}

async function writeDocument(
  type: Type,
  model: Model,
  { id, isNew, locale, tag, requestKey }: Target,
  data: Values,
  publish: boolean | undefined,
): Promise<Entry | undefined> {
  const inLocale = locale === undefined || type.locales === undefined ? {} : { locale }
  const drafted = type.draftAndPublish && !(isNew && publish !== false)
  const query = queryText({ ...(type.draftAndPublish ? buildStateParams(model, drafted) : {}), ...inLocale })
  const method = id === undefined && type.kind === 'collectionType' ? 'POST' : 'PUT'
  const address = getAddress(type, id, query)
  const written = await apiWithTag<{ data: unknown }>(address, method, { data }, tag, {
    requestKey: method === 'POST' ? requestKey : undefined,
  })
  if (!isNew && publish !== undefined) await actOn(type, id, publish, locale, written.tag)
  return toEntry(written.value.data)
}

function actOn(
  type: Type,
  id: string | undefined,
  publish: boolean,
  locale: string | undefined,
  tag?: string,
): Promise<unknown> {
  const query = type.locales === undefined || locale === undefined ? '' : `?${queryText({ locale })}`
  const action = publish ? 'publish' : 'unpublish'
  return apiWithTag(`${getAddress(type, id)}/actions/${action}${query}`, 'POST', {}, tag)
}

function publishedAt(publish: boolean): string | null {
  return publish ? new Date().toISOString() : null
}

/** Creates a draft if the type has drafts. Rejects if a value has to be unique. */
async function duplicateEntry(type: Type, model: Model, entry: Entry): Promise<void> {
  const locale = type.locales === undefined ? undefined : String(entry['locale'])
  const original = await readEntry(type, model, getKey(entry), locale)
  if (original === undefined) return
  const values = buildPayload(type.attributes, copyValues(type.attributes, original, model), model, false)
  const target = { id: undefined, isNew: true, locale, of: undefined }
  await writeEntry(type, model, target, values, type.draftAndPublish ? false : undefined)
}

/** `keepalive`: the tab may be closed meanwhile. */
export async function removeEntry(type: Type, entry: Entry, tag?: string, keepalive = false): Promise<void> {
  const single = type.kind === 'singleType'
  const documents = entry['documentId'] !== undefined
  const query = type.locales !== undefined && (documents || single) ? `locale=${entry['locale']}` : ''
  const address = getAddress(type, single ? undefined : getKey(entry), query)
  await apiWithTag(address, 'DELETE', undefined, tag, { keepalive })
}

/** What one request to many entries selects, in one locale. */
export interface Selection {
  readonly filters: Readonly<Record<string, unknown>>
  readonly locale: string | undefined
}

export function selectEntries(type: Type, entries: readonly Entry[]): readonly Selection[] {
  const locales = new Set(
    entries.map((entry) => (type.locales === undefined ? undefined : String(entry['locale']))),
  )
  return [...locales].map((locale) => {
    const chosen = entries.filter((entry) => locale === undefined || entry['locale'] === locale)
    const ids = chosen.some((entry) => entry['documentId'] !== undefined)
      ? { documentId: { $in: chosen.map(getKey) } }
      : { id: { $in: chosen.map(({ id }) => id) } }
    return { filters: ids, locale }
  })
}

/**
 * Changes or deletes all entries of a selection, or none; without `data` they are deleted. `plan`: only tells how many there
 * are.
 */
export async function writeMany(
  type: Type,
  model: Model,
  { filters, locale }: Selection,
  data: Values | undefined,
  plan: boolean,
): Promise<number> {
  const query = queryText({
    ...(data !== undefined && type.draftAndPublish && model.dialect === 'strapi-5'
      ? { status: 'draft' }
      : {}),
    ...getLocale(type, model, locale),
    ...(plan ? { plan: 'true' } : {}),
    fields: 'id',
  })
  const action = data === undefined ? 'delete-many' : 'update-many'
  const { meta } = await api<{ meta: { readonly updated?: number; readonly deleted?: number } }>(
    `${type.path}/actions/${action}?${query}`,
    'POST',
    { filters, ...(data !== undefined && { data }) },
  )
  return meta.updated ?? meta.deleted ?? 0
}

export async function setPublished(
  type: Type,
  model: Model,
  entry: Entry,
  publish: boolean,
  tag: string | undefined,
): Promise<void> {
  const id = type.kind === 'singleType' ? undefined : getKey(entry)
  const locale = type.locales === undefined ? undefined : String(entry['locale'])
  if (model.dialect === 'strapi-5') {
    await actOn(type, id, publish, locale, tag)
    return
  }
  const query = id === undefined && locale !== undefined ? queryText({ locale }) : ''
  await apiWithTag(getAddress(type, id, query), 'PUT', { data: { publishedAt: publishedAt(publish) } }, tag)
}

/** What can be done to one entry at a time. */
export type EntryAction = 'publish' | 'unpublish' | 'duplicate' | 'delete'

/** Rejects, without a change, if somebody saved the entry meanwhile and its type needs the version. */
export async function actOnEntry(type: Type, model: Model, entry: Entry, action: EntryAction): Promise<void> {
  if (action === 'duplicate') return duplicateEntry(type, model, entry)
  const locale = type.locales === undefined ? undefined : String(entry['locale'])
  const tag = type.needsVersion ? (await readTagged(type, model, getKey(entry), locale)).tag : undefined
  if (action === 'delete') return removeEntry(type, entry, tag)
  return setPublished(type, model, entry, action === 'publish', tag)
}

/** The data that publishes entries of Strapi 4, or hides them. */
export function buildPublication(publish: boolean): Values {
  return { publishedAt: publishedAt(publish) }
}
