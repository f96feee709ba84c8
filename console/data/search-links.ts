// Which entries a relation or media attribute may lead to: those of its content-type that match a text.

import type { Attribute, Model, Type } from '../../src/console/described.ts'
import { api } from '../server.ts'
import { searchEntries } from './load.ts'
import { type Linked, linkedOf, typeOf } from './values.ts'

const FILES = 'plugin::upload.file'
const USERS = 'plugin::users-permissions.user'
/** A list is for choosing from: what is not in it is found by writing more. */
const MOST = 20

/** Content-types whose entries can be looked for. Several for relations that may lead to any type. */
export function searchTargets({ kind, target, targets }: Attribute, model: Model): readonly Type[] {
  if (kind === 'media') return model.types.filter(({ uid }) => uid === FILES)
  const uids = target === undefined ? (targets ?? []) : [target]
  return model.types.filter(
    (type) => uids.includes(type.uid) && (type.own || type.uid === FILES || type.uid === USERS),
  )
}

/** `uid`: of the content-type to look in. */
export async function searchLinks(
  { target, kind }: Attribute,
  model: Model,
  uid: string,
  text: string,
): Promise<readonly Linked[]> {
  const type = typeOf(model, uid)
  if (type === undefined) return []
  const known = kind === 'media' ? FILES : target
  const found =
    uid === FILES ? await files(model, text) : uid === USERS ? await users(model, text) : undefined
  return (found ?? (await searchEntries(type, model, text))).map((entry) =>
    linkedOf({ ...entry, __type: uid }, known, model),
  )
}

export interface SentFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly mime: string
}

export function asLinked({ id, name, url, mime }: SentFile): Linked {
  return { id, label: name, url, mime }
}

async function files({ prefix }: Model, text: string): Promise<readonly SentFile[]> {
  const all = await api<readonly SentFile[]>(`${prefix}/upload/files`)
  return all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())).slice(0, MOST)
}

interface User {
  readonly id: number
  readonly username: string
}

async function users({ prefix }: Model, text: string): Promise<readonly User[]> {
  const all = await api<readonly User[]>(`${prefix}/users`)
  return all.filter(({ username }) => username.toLowerCase().includes(text.toLowerCase())).slice(0, MOST)
}
