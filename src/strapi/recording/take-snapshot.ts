// Reads the entries of a content-type before the first recorded request to it, with relations and the
// contents of components populated.

import { performance } from 'node:perf_hooks'
import type { Source } from '../../http/source.ts'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import type { Json } from '../import/strapi-source.ts'
import { getEntry, type Snapshot } from './exchange.ts'
import type { RecordingBudget } from './recording-budget.ts'
import { buildKey } from './seen-entries.ts'

const MAX_ENTRIES = 2000
const PAGE_SIZE = 100
/** A server may limit pages to fewer entries than requested. */
const MAX_PAGES = 100
const MAX_TIME_MS = 120_000
const PAGES_TO_PROGRESS = 10

interface SnapshotOptions {
  readonly schema: Json | undefined
  readonly token: string | undefined
  readonly budget: RecordingBudget
  readonly progress: (entries: number) => void
}

/** Undefined where the entries may not be read. After a failed page, contains the pages before it. */
export async function takeSnapshot(
  source: Source,
  segment: string,
  { schema, token, budget, progress }: SnapshotOptions,
): Promise<Snapshot | undefined> {
  const entries = new Map<string, Json>()
  const started = performance.now()
  // Strapi 5 refuses or ignores it.
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
    // A server without pagination returns the same entries on every page.
    if (isEnough || entries.size === before || performance.now() - started > MAX_TIME_MS) return read(true)
    if (page % PAGES_TO_PROGRESS === 0) progress(entries.size)
  }
}

function hasLocales(response: unknown): boolean {
  const { data } = buildRecord(response)
  return Array.isArray(data) && data.some((one) => typeof getEntry(one)?.attributes['locale'] === 'string')
}

/** `populate=*` goes one step; the contents of components need another. */
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
