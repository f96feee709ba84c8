// Writes entries through the API, in either API version.

import type { Entry, Model, Type } from '../../described.ts'
import { api } from '../server.ts'
import { buildStateParams, getAddress, getKey, readEntry } from './load.ts'
import { buildPayload, copyValues, queryText, toEntry, type Values } from './values.ts'

export interface Target {
  readonly id: string | undefined
  readonly isNew: boolean
  readonly locale: string | undefined
  /** Strapi 4: the entry whose content this is in another locale. */
  readonly of: string | undefined
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
  { id, isNew, locale, of }: Target,
  values: Values,
  publish: boolean | undefined,
): Promise<Entry | undefined> {
  const data = {
    ...values,
    ...(publish === undefined ? {} : { publishedAt: publishedAt(publish) }),
    ...(isNew && locale !== undefined ? { locale } : {}),
  }
  if (of !== undefined) return toEntry(await api(`${type.path}/${of}/localizations`, 'POST', data))
  const single = type.kind === 'singleType'
  const query = single && locale !== undefined ? queryText({ locale }) : ''
  const response = await api<{ data: unknown }>(
    getAddress(type, id, query),
    isNew && !single ? 'POST' : 'PUT',
    {
      data,
    },
  )
  return toEntry(response.data)
}

async function writeDocument(
  type: Type,
  model: Model,
  { id, isNew, locale }: Target,
  data: Values,
  publish: boolean | undefined,
): Promise<Entry | undefined> {
  const inLocale = locale === undefined || type.locales === undefined ? {} : { locale }
  const drafted = type.draftAndPublish && !(isNew && publish !== false)
  const query = queryText({ ...(type.draftAndPublish ? buildStateParams(model, drafted) : {}), ...inLocale })
  const method = id === undefined && type.kind === 'collectionType' ? 'POST' : 'PUT'
  const response = await api<{ data: unknown }>(getAddress(type, id, query), method, { data })
  const written = toEntry(response.data)
  if (!isNew && publish !== undefined) await actOn(type, id, publish, locale)
  return written
}

function actOn(
  type: Type,
  id: string | undefined,
  publish: boolean,
  locale: string | undefined,
): Promise<unknown> {
  const query = type.locales === undefined || locale === undefined ? '' : `?${queryText({ locale })}`
  return api(`${getAddress(type, id)}/actions/${publish ? 'publish' : 'unpublish'}${query}`, 'POST', {})
}

function publishedAt(publish: boolean): string | null {
  return publish ? new Date().toISOString() : null
}

/** Creates a draft if the type has drafts. Rejects if a value has to be unique. */
export async function duplicateEntry(type: Type, model: Model, entry: Entry): Promise<void> {
  const locale = type.locales === undefined ? undefined : String(entry['locale'])
  const original = await readEntry(type, model, getKey(entry), locale)
  if (original === undefined) return
  const values = buildPayload(type.attributes, copyValues(type.attributes, original, model), model, false)
  const target = { id: undefined, isNew: true, locale, of: undefined }
  await writeEntry(type, model, target, values, type.draftAndPublish ? false : undefined)
}

export async function removeEntry(type: Type, entry: Entry): Promise<void> {
  const single = type.kind === 'singleType'
  const documents = entry['documentId'] !== undefined
  const query = type.locales !== undefined && (documents || single) ? `locale=${entry['locale']}` : ''
  await api(getAddress(type, single ? undefined : getKey(entry), query), 'DELETE')
}

export async function setPublished(type: Type, model: Model, entry: Entry, publish: boolean): Promise<void> {
  const id = type.kind === 'singleType' ? undefined : getKey(entry)
  const locale = type.locales === undefined ? undefined : String(entry['locale'])
  if (model.dialect === 'strapi-5') {
    await actOn(type, id, publish, locale)
    return
  }
  const query = id === undefined && locale !== undefined ? queryText({ locale }) : ''
  await api(getAddress(type, id, query), 'PUT', { data: { publishedAt: publishedAt(publish) } })
}
