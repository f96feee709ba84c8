// Exports every page of a grid's view as a file.

import type { Entry, Model, Type } from '../../described.ts'
import { ask } from '../server.ts'
import { readPage, type View } from './load.ts'
import { buildFormValues, buildPayload, type EntryLink, toEntry, toList } from './values.ts'

/** The tab holds all entries until they are written; larger exports need `cms-run export`. */
export const MAX_EXPORTED_ENTRIES = 50_000
const BATCH_ENTRIES = 100

export async function readAll(
  type: Type,
  model: Model,
  view: View,
  populate: Readonly<Record<string, unknown>>,
  onRead: (count: number, total: number) => void,
): Promise<{ readonly entries: readonly Entry[]; readonly total: number }> {
  const entries: Entry[] = []
  let total: number | undefined
  for (let page = 1; ; page += 1) {
    const found = await readPage(type, model, { ...view, page, pageSize: BATCH_ENTRIES }, populate, { total })
    total = found.total
    entries.push(...found.entries)
    onRead(entries.length, found.total)
    if (page >= found.pageCount || entries.length >= MAX_EXPORTED_ENTRIES)
      return { entries: entries.slice(0, MAX_EXPORTED_ENTRIES), total: found.total }
  }
}

export function toJson(entries: readonly Entry[]): string {
  return `${JSON.stringify(entries, undefined, 2)}\n`
}

/** RFC 4180. A cell that a spreadsheet would run as a formula begins with an apostrophe. */
export function toCsv(entries: readonly Entry[], columns: readonly string[]): string {
  const cell = (value: unknown): string => {
    if (value === null || value === undefined) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const rows = [columns, ...entries.map((entry) => columns.map((name) => entry[name]))]
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Links are written by id; links to other locales only if those entries are included. */
export async function toYaml(entries: readonly Entry[], type: Type, model: Model): Promise<string> {
  const ids = new Set(entries.map(({ id }) => id))
  const written = entries.map((entry) => {
    const values = buildPayload(type.attributes, buildFormValues(type.attributes, entry, model), model, false)
    const { publishedAt, locale } = entry
    const others = toList(entry['localizations']).flatMap((one) => toEntry(one)?.id ?? [])
    const variants = others.filter((id) => ids.has(id))
    return {
      id: entry.id,
      // Keeps the `documentId`, so that URLs and links from other entries stay valid.
      ...(entry['documentId'] === undefined ? {} : { documentId: entry['documentId'] }),
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))),
      ...(type.draftAndPublish && publishedAt === null ? { publishedAt } : {}),
      ...(type.locales !== undefined && locale !== type.defaultLocale ? { locale } : {}),
      ...(variants.length === 0 ? {} : { localizations: variants }),
    }
  })
  return (await ask<{ text: string }>('data', { type: type.uid, entries: written })).text
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

export function download(name: string, text: string, kind: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: kind }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => (isLinked(item) ? item.label : shown(item))).join(', ')
  if (isLinked(value)) return value.label
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function isLinked(value: unknown): value is EntryLink {
  return typeof value === 'object' && value !== null && 'label' in value && 'id' in value
}
