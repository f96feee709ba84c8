// Checks that no two entries have the same values and related entries in a set of attributes that is unique together.
// Sets without relations have a unique index. Links are in tables of their own, where no index can see the set, so the
// entries that a write has changed are compared with the others before its transaction ends.

import { type ApiError, type ErrorItem, validationErrors } from '../../lib/errors/api-error.ts'
import type { AttributeSet, ContentType } from '../../model/content-type.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import type { WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { Storage } from '../storage.ts'

/** Content-types whose sets a write may break, with the ids of its entries that the payload names. */
type TouchedSet = ReadonlyMap<ContentType, readonly number[]>

const NOTHING: TouchedSet = new Map()

function touchedBy(storage: Storage, { schema, links }: WritePlan): TouchedSet {
  if (links.length === 0 && !(isContentType(schema) && storage.getTogether(schema).length > 0)) return NOTHING
  const touched = new Map<ContentType, readonly number[]>()
  if (isContentType(schema) && storage.getTogether(schema).length > 0) touched.set(schema, [])
  for (const { attribute, change } of links) {
    const inverse = attribute.kind === 'relation' ? attribute.inverse : undefined
    const target = attribute.target
    if (inverse === undefined || target === undefined) continue
    if (!storage.getTogether(target).some(({ set }) => set.includes(inverse))) continue
    const ids = change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id)
    touched.set(target, [...(touched.get(target) ?? []), ...ids])
  }
  return touched
}

/** Makes writes that may break the same set wait for each other; to be called before the first of their changes. */
export function* lockTogether(storage: Storage, plan: WritePlan): Work<void> {
  for (const type of touchedBy(storage, plan).keys()) {
    const lock = storage.statements.lockTable(type)
    if (lock !== undefined) yield* run(lock, [])
  }
}

/** `own`: ids of the written entry, and of those that share values with it. */
export function* assertTogether(storage: Storage, plan: WritePlan, own: readonly number[]): Work<void> {
  for (const [type, ids] of touchedBy(storage, plan)) {
    const [first] = yield* readClashes(storage, type, type === plan.schema ? [...own, ...ids] : ids)
    if (first !== undefined) throw notUnique(first.set)
  }
}

/** Those of the entries that have something in common with another entry that they may not. */
export function* readClashes(
  storage: Storage,
  type: ContentType,
  ids: readonly number[],
): Work<readonly { readonly id: number; readonly set: AttributeSet }[]> {
  const { statements } = storage
  const clashes: { id: number; set: AttributeSet }[] = []
  for (const { set, together } of storage.getTogether(type)) {
    const rows = yield* run(statements.together(type, together), [statements.encodeIds(ids)])
    for (const [id] of rows) clashes.push({ id: Number(id), set })
  }
  return clashes
}

export function notUnique(set: AttributeSet): ApiError {
  return validationErrors([faultOfSet(set)])
}

/** `value`: undefined if it is nothing to be told. */
export function faultOfUnique(path: readonly string[], value?: ErrorItem['value']): ErrorItem {
  const fault = { path, message: 'This attribute must be unique', name: 'ValidationError' }
  return value === undefined ? fault : { ...fault, value }
}

/** The fault has the path of the set's first attribute. */
export function faultOfSet(set: AttributeSet): ErrorItem {
  const names = set.map(({ name }) => name)
  const listed = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  const message = `${listed} must be unique${names.length === 1 ? '' : ' together'}`
  return { path: names.slice(0, 1), message, name: 'ValidationError' }
}
