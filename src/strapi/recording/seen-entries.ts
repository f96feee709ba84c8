// Collects the entries that a recording shows before its first write.

import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import { type EntryResponse, getEntry, getRelated, type Recording, type Snapshot } from './exchange.ts'

/** By the first segment of a path below `/api`. */
export function collectSeenEntries({ snapshots, exchanges }: Recording): ReadonlyMap<string, Snapshot> {
  const seen = new Map<string, { kind: Snapshot['kind']; entries: Map<string, Json>; more: boolean }>()
  for (const [segment, { kind, entries, more }] of snapshots)
    seen.set(segment, { kind, more, entries: new Map(entries.map((one) => [keyOfValue(one), one])) })
  const firstWrite = exchanges.findIndex(({ method }) => method !== 'GET')
  for (const { path, status, body } of firstWrite < 0 ? exchanges : exchanges.slice(0, firstWrite)) {
    const segment = /^\/api\/([^/]+)/.exec(path)?.[1]
    const { data } = buildRecord(body)
    const related = getRelated(data)
    if (segment === undefined || status !== 200 || related === undefined) continue
    const isCollection = related.many || path.split('/').length > 3
    const before = seen.get(segment) ?? {
      kind: isCollection ? ('collectionType' as const) : ('singleType' as const),
      entries: new Map<string, Json>(),
      more: false,
    }
    seen.set(segment, before)
    for (const one of Array.isArray(data) ? data : [data]) {
      if (!isRecord(one)) continue
      const key = keyOfValue(one)
      before.entries.set(key, buildRecord(merged(before.entries.get(key), one)))
    }
  }
  return new Map(
    [...seen].map(([segment, { kind, entries, more }]) => [
      segment,
      { kind, entries: [...entries.values()], more },
    ]),
  )
}

export function buildKey({ id, documentId, attributes }: EntryResponse): string {
  return documentId === undefined ? String(id) : `${documentId} ${formatText(attributes['locale'])}`
}

function keyOfValue(value: unknown): string {
  const entry = getEntry(value)
  return entry === undefined ? '' : buildKey(entry)
}

function merged(one: unknown, other: unknown): unknown {
  if (one === undefined) return other
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.map((member, index) => merged(member, other[index]))
  if (!isRecord(one) || !isRecord(other)) return one
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...keys].map((key) => [key, merged(one[key], other[key])]))
}
