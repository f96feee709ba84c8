// Turns seed entries into documents: localizations share a documentId, and entries are published unless
// marked as drafts.

import { deriveDocumentId } from '../../lib/document-id.ts'
import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { parseDateTime } from '../../lib/iso-date.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { Work } from '../../storage/database.ts'
import { type SeedEntry, SeedFailure } from '../content.ts'
import { findTakenByOthers } from '../documents/check-published-unique.ts'
import { copyVersion } from '../documents/copy-version.ts'
import { linkPublished, readLinkVersions } from '../documents/link-versions.ts'
import { makePublished } from '../documents/publish-row.ts'
import type { Storage } from '../storage.ts'

export function toDocuments(entries: readonly SeedEntry[]): readonly SeedEntry[] {
  if (!entries.some(({ type }) => type.document !== undefined)) return entries
  const roots = listRoots(entries)
  const seen = new Set<string>()
  return entries.map((entry, index) => {
    const { type, data } = entry
    // Entries without an id, such as the server's own rows, become ordinary new documents.
    if (type.document === undefined || data['id'] === undefined) return entry
    const root = roots.get(buildKey(type, Number(data['id']))) ?? Number(data['id'])
    const given = entries.find((one) => one.type === type && Number(one.data['id']) === root)?.data[
      'documentId'
    ]
    const documentId = data['documentId'] ?? given ?? deriveDocumentId(type.uid, root)
    const locale = type.locale === undefined ? '' : String(data['locale'] ?? type.locale.default)
    const key = JSON.stringify([type.uid, documentId, locale])
    if (seen.has(key)) {
      const message = `there is another entry of the document ${String(documentId)}${locale === '' ? '' : ` in the locale "${locale}"`}`
      throw new SeedFailure([{ index, reason: new ApiError('ApplicationError', message) }])
    }
    seen.add(key)
    return { type, data: { ...data, documentId } }
  })
}

function listRoots(entries: readonly SeedEntry[]): ReadonlyMap<string, number> {
  const roots = new Map<string, number>()
  const find = (key: string): string => {
    const root = roots.get(key)
    const [uid = ''] = key.split(' ')
    return root === undefined || `${uid} ${root}` === key ? key : find(`${uid} ${root}`)
  }
  const firstOfSingle = new Map<ContentType, number>()
  for (const { type, data } of entries) {
    if (!type.localized || data['id'] === undefined) continue
    const id = Number(data['id'])
    const named = Array.isArray(data['localizations']) ? data['localizations'].map(Number) : []
    if (type.kind === 'singleType') named.push(firstOfSingle.get(type) ?? id)
    if (!firstOfSingle.has(type)) firstOfSingle.set(type, id)
    const keys = [id, ...named].map((one) => find(buildKey(type, one)))
    const smallest = Math.min(...keys.map((key) => Number(key.split(' ')[1])))
    for (const key of keys) roots.set(key, smallest)
    for (const one of [id, ...named]) roots.set(buildKey(type, one), smallest)
  }
  return new Map([...roots.keys()].map((key) => [key, Number(find(key).split(' ')[1])]))
}

function buildKey({ uid }: ContentType, id: number): string {
  return `${uid} ${id}`
}

export function staysDraft(type: ContentType, data: SeedEntry['data']): boolean {
  return type.publishedAt !== undefined && data[type.publishedAt.name] === null
}

const SEEDED = { keepsPlaces: true } as const

interface StoredSeed {
  readonly id: number
  readonly index: number
}

/** Throws SeedFailure if two entries have the same unique value. */
export function* publishSeeds(
  storage: Storage,
  entries: readonly SeedEntry[],
  stored: readonly StoredSeed[],
  now: number,
): Work<void> {
  const published: { type: ContentType; draft: number; id: number; index: number }[] = []
  const distance = new Map<ContentType, number>()
  for (const { id: draft, index } of stored) {
    const entry = entries[index]
    if (entry === undefined || !hasVersions(entry.type) || staysDraft(entry.type, entry.data)) continue
    const { type, data } = entry
    const behind = distance.get(type) ?? behindAll(type, entries)
    distance.set(type, behind)
    const publishedAt = getMoment(data['publishedAt']) ?? now
    const id = yield* makePublished(storage, type, draft, { publishedAt, id: draft + behind })
    published.push({ type, draft, id, index })
  }
  for (const { type, draft, id } of published)
    yield* copyVersion(storage, type, draft, id, 'published', SEEDED)
  for (const { type, draft, id } of published) yield* linkPublished(storage, type, draft, id)
  for (const { type, draft, id, index } of published) {
    const taken = yield* findTakenByOthers(storage, type, draft, id)
    if (taken.length > 0) throw new SeedFailure([{ index, reason: createValidationErrors(taken) }])
  }
  for (const { id, index } of stored) {
    const type = entries[index]?.type
    if (type?.document !== undefined && !hasVersions(type)) yield* readLinkVersions(storage, type, id)
  }
}

/** A round number above all ids of the type: the distance of a published row's id from its draft's. */
function behindAll(type: ContentType, entries: readonly SeedEntry[]): number {
  let most = 0
  for (const one of entries) if (one.type === type) most = Math.max(most, Number(one.data['id']))
  let behind = 1000
  while (behind <= most) behind *= 10
  return behind
}

function getMoment(value: unknown): PlanValue | undefined {
  if (value === undefined || value === null) return undefined
  const parsed = parseDateTime(value instanceof Date ? value.getTime() : value)
  if ('fault' in parsed) throw new ApiError('ValidationError', parsed.fault)
  return parsed.value
}
