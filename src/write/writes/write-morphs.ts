// Writes ordered targets of morphToOne and morphToMany. An exclusive target leaves its previous owner.

import type { RelationAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { hidesSome } from '../../plan/conditions/plan-visibility.ts'
import { buildTargetKey } from '../../plan/write/plan-morph.ts'
import type { MorphChange, MorphWrite } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'
import type { Storage } from '../storage.ts'
import { connectInOrder } from './connect-in-order.ts'
import { differences } from './list-differences.ts'

export function* writeMorphs(
  storage: Storage,
  source: number,
  { attribute, change, access }: MorphWrite,
): Work<void> {
  const { statements } = storage
  const table = storage.getMorphs(attribute)
  const before = yield* run(statements.morphsFrom(table), [source])
  const stored = new Map(before.map(([uid, id, order]) => [`${uid} ${id}`, Number(order)]))
  const after = changed(attribute, before, change)
  const connected = change.kind === 'change' ? change.connect.map(buildTargetKey) : []
  const { removed, added, moved } = differences(stored, after, new Set(connected))
  // The same statements run whether or not hidden entries are linked.
  const alike = attribute.targets.filter((type) => hidesSome(access, type)).map(({ uid }) => uid)
  const [gone, left] = [byType(removed), byType(moved.keys(), moved)]
  for (const uid of new Set([...(change.kind === 'set' ? alike : []), ...gone.keys()])) {
    const ids = statements.encodeIds([...(gone.get(uid)?.keys() ?? [])])
    yield* run(statements.deleteMorphs(table), [source, uid, ids])
  }
  for (const [uid, orders] of byType(added.keys(), added)) {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    if (type !== undefined && getShownByOne(attribute, type) !== undefined)
      yield* run(statements.releaseMorphs(table), [uid, statements.encodeIds([...orders.keys()])])
    yield* run(statements.insertMorphs(table), [source, uid, statements.encodeOrders(orders)])
  }
  for (const uid of new Set([...alike, ...left.keys()])) {
    const orders = statements.encodeOrders(left.get(uid) ?? new Map())
    yield* run(statements.orderMorphs(table), [orders, source, uid])
  }
}

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

export function getShownByOne(
  attribute: RelationAttribute,
  target: ContentType,
): RelationAttribute | undefined {
  for (const other of target.attributes.values()) {
    if (other.kind === 'relation' && other.inverse === attribute && other.cardinality === 'one') return other
  }
  return undefined
}

function changed(
  attribute: RelationAttribute,
  before: readonly SqlRow[],
  change: MorphChange,
): readonly string[] {
  if (change.kind === 'set') return [...new Set(change.targets.map(buildTargetKey))]
  const gone = new Set(change.disconnect.map(buildTargetKey))
  // Rows of a content-type that the configuration no longer has are invisible; this write deletes them.
  const list = before.flatMap(([uid, id]) => {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    const key = type === undefined ? undefined : buildTargetKey({ type, id: Number(id) })
    return key === undefined || gone.has(key) ? [] : [key]
  })
  return connectInOrder(list, change, buildTargetKey)
}
