// Writes changes of morphToOne and morphToMany: the targets of an entry, in order. A target that only one entry may
// point at is taken from its previous owner.

import { run, type Work } from '../databases/database.ts'
import type { RelationAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { keyOfTarget } from '../plan/plan-morph.ts'
import type { MorphChange, MorphTarget } from '../plan/write-plan.ts'
import type { SqlRow } from '../sql/statement.ts'
import { differences } from './list-differences.ts'
import type { Storage } from './storage.ts'

export function* writeMorphs(
  storage: Storage,
  source: number,
  attribute: RelationAttribute,
  change: MorphChange,
): Work<void> {
  const { statements } = storage
  const table = storage.morphsOf(attribute)
  const before = yield* run(statements.morphsFrom(table), [source])
  const stored = new Map(before.map(([uid, id, order]) => [`${uid} ${id}`, Number(order)]))
  const after = new Map(changed(attribute, before, change).map((target) => [keyOfTarget(target), target]))
  const connected = change.kind === 'change' ? change.connect.map(keyOfTarget) : []
  const { removed, added, moved } = differences(stored, [...after.keys()], new Set(connected))
  for (const [uid, ids] of byType(removed))
    yield* run(statements.deleteMorphs(table), [source, uid, statements.encodeIds([...ids.keys()])])
  for (const [uid, orders] of byType(added.keys(), added)) {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    if (type !== undefined && shownByOne(attribute, type) !== undefined)
      yield* run(statements.releaseMorphs(table), [uid, statements.encodeIds([...orders.keys()])])
    yield* run(statements.insertMorphs(table), [source, uid, statements.encodeOrders(orders)])
  }
  for (const [uid, orders] of byType(moved.keys(), moved))
    yield* run(statements.orderMorphs(table), [statements.encodeOrders(orders), source, uid])
}

/** Groups the keys of targets by content-type, with ids and orders. */
function byType(
  keys: Iterable<string>,
  orders: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const types = new Map<string, Map<number, number>>()
  for (const key of keys) {
    const [uid = '', id] = key.split(' ')
    const ids = types.get(uid) ?? new Map<number, number>()
    types.set(uid, ids.set(Number(id), orders.get(key) ?? 0))
  }
  return types
}

/** The target's morphOne that is the inverse of this attribute. */
export function shownByOne(attribute: RelationAttribute, target: ContentType): RelationAttribute | undefined {
  for (const other of target.attributes.values()) {
    if (other.kind === 'relation' && other.inverse === attribute && other.cardinality === 'one') return other
  }
  return undefined
}

function changed(
  attribute: RelationAttribute,
  before: readonly SqlRow[],
  change: MorphChange,
): readonly MorphTarget[] {
  if (change.kind === 'set') return change.targets
  // Rows of a content-type that the configuration no longer has are invisible; this write deletes them.
  const present = before.flatMap(([uid, id]) => {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    return type === undefined ? [] : [{ type, id: Number(id) }]
  })
  const gone = new Set(change.disconnect.map(keyOfTarget))
  const connected = new Set(change.connect.map(keyOfTarget))
  const without = present.filter(
    (target) => !gone.has(keyOfTarget(target)) && !connected.has(keyOfTarget(target)),
  )
  return [...without, ...change.connect.filter((target) => !gone.has(keyOfTarget(target)))]
}
