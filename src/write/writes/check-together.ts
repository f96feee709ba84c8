// Checks sets unique together that contain relations: an index cannot span link tables, so changed entries
// are compared before the transaction ends.

import { type ApiError, createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import type { AttributeSet, ContentType } from '../../model/content-type.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import type { WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { Storage } from '../storage.ts'

/** The ids are those that the payload names. */
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

/** Writes that may break the same set wait; must be called before their first change. */
export function* lockTogether(storage: Storage, plan: WritePlan): Work<void> {
  for (const type of touchedBy(storage, plan).keys()) {
    const lock = storage.statements.lockTable(type)
    if (lock !== undefined) yield* run(lock, [])
  }
}

/** `own`: the written entry, and entries that share values with it. */
export function* assertTogether(storage: Storage, plan: WritePlan, own: readonly number[]): Work<void> {
  for (const [type, ids] of touchedBy(storage, plan)) {
    const [first] = yield* readClashes(storage, type, type === plan.schema ? [...own, ...ids] : ids)
    if (first !== undefined) throw createNotUnique(first.set)
  }
}

/** Returns entries with the same set of values as another entry. */
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

export function createNotUnique(set: AttributeSet): ApiError {
  return createValidationErrors([createSetFault(set)])
}

const NOT_UNIQUE = 'must be unique'

/** Whether another entry has the value, or the set of values. */
export function isUniqueFault({ message }: Pick<ErrorItem, 'message'>): boolean {
  return message.includes(NOT_UNIQUE)
}

/** Undefined hides `value` from the response. */
export function createUniqueFault(path: readonly string[], value?: ErrorItem['value']): ErrorItem {
  const fault = { path, message: `This attribute ${NOT_UNIQUE}`, name: 'ValidationError' }
  return value === undefined ? fault : { ...fault, value }
}

/** The fault has the path of the set's first attribute. */
export function createSetFault(set: AttributeSet): ErrorItem {
  const names = set.map(({ name }) => name)
  const listed = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  const message = `${listed} ${NOT_UNIQUE}${names.length === 1 ? '' : ' together'}`
  return { path: names.slice(0, 1), message, name: 'ValidationError' }
}
