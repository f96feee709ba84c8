// Finds the entries that a relation may link to, and makes those that are missing.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { api } from '../server.ts'
import { searchEntries } from './load.ts'
import { FILES } from './media.ts'
import { type EntryLink, getType, queryText, toLinked } from './values.ts'
import { writeEntry } from './write.ts'

const USERS = 'plugin::users-permissions.user'
const BATCH_ENTRIES = 20

export function searchTargets({ target, targets }: Attribute, model: Model): readonly Type[] {
  const uids = target === undefined ? (targets ?? []) : [target]
  return model.types.filter(
    (type) => uids.includes(type.uid) && (type.own || type.uid === FILES || type.uid === USERS),
  )
}

interface FoundLinks {
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
  const { entries, more } = await readMatches(type, model, text, page)
  return { links: entries.map((entry) => toLinked({ ...entry, __type: uid }, attribute.target, model)), more }
}

async function readMatches(
  type: Type,
  model: Model,
  text: string,
  page: number,
): Promise<{ readonly entries: readonly Entry[]; readonly more: boolean }> {
  if (type.uid !== FILES && type.uid !== USERS) return searchEntries(type, model, text, page, BATCH_ENTRIES)
  const label = type.uid === FILES ? 'name' : 'username'
  const query = queryText({
    filters: { [label]: { $containsi: text } },
    sort: `${label}:asc,id:asc`,
    start: (page - 1) * BATCH_ENTRIES,
    // Reads one more entry to detect a further page.
    limit: BATCH_ENTRIES + 1,
  })
  const path = type.uid === FILES ? 'upload/files' : 'users'
  const found = await api<readonly Entry[]>(`${model.prefix}/${path}?${query}`)
  return { entries: found.slice(0, BATCH_ENTRIES), more: found.length > BATCH_ENTRIES }
}

/** `here`: the title is all that a new entry needs. `page`: it needs more. `none`: the caller may not create one. */
export function findCreation(type: Type | undefined): 'here' | 'page' | 'none' {
  if (type === undefined || !type.own || type.kind !== 'collectionType' || !type.may.includes('create'))
    return 'none'
  const { title } = type.look
  const named = type.attributes.find(({ name }) => name === title)
  const others = type.attributes.filter(
    ({ name, required, default: standard, writable }) =>
      name !== title && required === true && standard === undefined && writable !== false,
  )
  const isText = named?.type === 'string' || named?.type === 'text'
  return isText && named.writable !== false && others.length === 0 ? 'here' : 'page'
}

/** A draft if the type has drafts. Rejects with a message for people. */
export async function createLink(
  attribute: Attribute,
  model: Model,
  type: Type,
  title: string,
): Promise<EntryLink> {
  const target = { id: undefined, isNew: true, locale: undefined, of: undefined }
  const values = { [type.look.title ?? '']: title }
  const entry = await writeEntry(type, model, target, values, type.draftAndPublish ? false : undefined)
  return toLinked({ ...entry, __type: type.uid }, attribute.target, model)
}
