// Finds the entries that a relation or media attribute may link to.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { api } from '../server.ts'
import { searchEntries } from './load.ts'
import { type EntryLink, getType, queryText, toLinked } from './values.ts'

const FILES = 'plugin::upload.file'
const USERS = 'plugin::users-permissions.user'
const BATCH_ENTRIES = 20

export function searchTargets({ kind, target, targets }: Attribute, model: Model): readonly Type[] {
  if (kind === 'media') return model.types.filter(({ uid }) => uid === FILES)
  const uids = target === undefined ? (targets ?? []) : [target]
  return model.types.filter(
    (type) => uids.includes(type.uid) && (type.own || type.uid === FILES || type.uid === USERS),
  )
}

export interface FoundLinks {
  readonly links: readonly EntryLink[]
  readonly more: boolean
}

export async function searchLinks(
  attribute: Attribute,
  model: Model,
  uid: string,
  text: string,
  page: number,
): Promise<FoundLinks> {
  const type = getType(model, uid)
  if (type === undefined) return { links: [], more: false }
  const known = attribute.kind === 'media' ? FILES : attribute.target
  const { entries, more } = await readMatches(type, attribute, model, text, page)
  return { links: entries.map((entry) => toLinked({ ...entry, __type: uid }, known, model)), more }
}

async function readMatches(
  type: Type,
  attribute: Attribute,
  model: Model,
  text: string,
  page: number,
): Promise<{ readonly entries: readonly Entry[]; readonly more: boolean }> {
  if (type.uid !== FILES && type.uid !== USERS) return searchEntries(type, model, text, page, BATCH_ENTRIES)
  const label = type.uid === FILES ? 'name' : 'username'
  const query = queryText({
    filters: { [label]: { $containsi: text }, ...(type.uid === FILES && kindFilter(attribute)) },
    sort: `${label}:asc,id:asc`,
    start: (page - 1) * BATCH_ENTRIES,
    // Reads one more entry to detect a further page.
    limit: BATCH_ENTRIES + 1,
  })
  const path = type.uid === FILES ? 'upload/files' : 'users'
  const found = await api<readonly Entry[]>(`${model.prefix}/${path}?${query}`)
  return { entries: found.slice(0, BATCH_ENTRIES), more: found.length > BATCH_ENTRIES }
}

const MIME_STARTS: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' }

function kindFilter({ allowedTypes }: Attribute): Readonly<Record<string, unknown>> {
  const starts = allowedTypes?.map((kind) => MIME_STARTS[kind])
  if (starts === undefined || starts.length === 0 || starts.includes(undefined)) return {}
  return { $or: Object.fromEntries(starts.map((start, index) => [index, { mime: { $startsWith: start } }])) }
}

export interface SentFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly mime: string
}

export function toLink({ id, name, url, mime }: SentFile): EntryLink {
  return { id, label: name, url, mime }
}
