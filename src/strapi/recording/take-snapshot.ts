// The entries of a content-type as they are before the first recorded request to it, in which more is populated than the
// requests ask for: relations, and what is in components.

import { performance } from 'node:perf_hooks'
import type { Source } from '../../http/source.ts'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import type { Json } from '../import/strapi-source.ts'
import { getEntry, type Snapshot } from './exchange.ts'
import type { RecordingBudget } from './recording-budget.ts'
import { buildKey } from './seen-entries.ts'

/** Entries of one content-type. */
const MAX_ENTRIES = 2000
const PAGE_SIZE = 100
/** A server may have pages that are smaller than asked for. */
const MAX_PAGES = 100
const MAX_TIME_MS = 120_000
const PAGES_TO_PROGRESS = 10

interface SnapshotOptions {
  /** Its description by the content-type-builder, if it has one. */
  readonly schema: Json | undefined
  readonly token: string | undefined
  readonly budget: RecordingBudget
  /** Told from time to time. */
  readonly progress: (entries: number) => void
}

/** Undefined where the entries may not be read. After a page that fails, it has those of the pages before. */
export async function takeSnapshot(
  source: Source,
  segment: string,
  { schema, token, budget, progress }: SnapshotOptions,
): Promise<Snapshot | undefined> {
  const entries = new Map<string, Json>()
  const started = performance.now()
  // Strapi 5 refuses it, or does not read it.
  let drafts = '&publicationState=preview'
  let everywhere =
    buildRecord(buildRecord(schema?.['pluginOptions'])['i18n'])['localized'] === true ? '&locale=all' : ''
  for (let page = 1; ; page++) {
    const where = `pagination[page]=${page}&pagination[pageSize]=${PAGE_SIZE}&sort=id`
    const asked = (): Promise<unknown> =>
      source.get(`/api/${segment}?${populated(schema)}${drafts}${everywhere}&${where}`, token)
    let response = await asked()
    if (response === undefined && page === 1) {
      drafts = ''
      response = await asked()
    }
    if (schema === undefined && page === 1 && hasLocales(response)) {
      everywhere = '&locale=all'
      response = (await asked()) ?? response
    }
    const read = (more: boolean): Snapshot => ({
      kind: 'collectionType',
      entries: [...entries.values()],
      more,
    })
    if (!isRecord(response)) return page === 1 ? undefined : read(true)
    const { data, meta } = response
    if (!Array.isArray(data)) {
      const isKept = getEntry(data) !== undefined && budget.take(data)
      return {
        kind: 'singleType',
        entries: isKept ? [data as Json] : [],
        more: getEntry(data) !== undefined && !isKept,
      }
    }
    const before = entries.size
    let isComplete = true
    for (const one of data) {
      const entry = getEntry(one)
      if (entry === undefined || entries.has(buildKey(entry))) continue
      if (entries.size < MAX_ENTRIES && budget.take(one)) entries.set(buildKey(entry), one)
      else isComplete = false
    }
    const { pageCount } = buildRecord(buildRecord(meta)['pagination'])
    if (data.length === 0 || typeof pageCount !== 'number' || page >= pageCount) return read(!isComplete)
    const isEnough = entries.size >= MAX_ENTRIES || page >= MAX_PAGES
    // A server that does not page has the same entries on every page.
    if (isEnough || entries.size === before || performance.now() - started > MAX_TIME_MS) return read(true)
    if (page % PAGES_TO_PROGRESS === 0) progress(entries.size)
  }
}

/** Without a schema, an answer tells that its entries are localized. */
function hasLocales(response: unknown): boolean {
  const { data } = buildRecord(response)
  return Array.isArray(data) && data.some((one) => typeof getEntry(one)?.attributes['locale'] === 'string')
}

/** `populate=*` goes one step; what is in components needs another. */
function populated(schema: Json | undefined): string {
  if (schema === undefined) return 'populate=*'
  const parts = Object.entries(buildRecord(schema['attributes'])).flatMap(([name, value]) => {
    const { type } = buildRecord(value)
    const key = `populate[${encodeURIComponent(name)}]`
    if (type === 'component' || type === 'dynamiczone') return [`${key}[populate]=*`]
    return type === 'relation' || type === 'media' ? [`${key}=true`] : []
  })
  const localized = buildRecord(buildRecord(schema['pluginOptions'])['i18n'])['localized'] === true
  if (localized) parts.push('populate[localizations]=true')
  return parts.length === 0 ? 'populate=*' : parts.join('&')
}
