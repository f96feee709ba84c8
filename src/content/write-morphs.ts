// Changes of morphToOne and morphToMany: what an entry points at, in order; who is shown by one entry only is taken
// from the one that pointed at it before (BEHAVIOUR 9.27).

import { run, type Work } from '../databases/database.ts'
import type { RelationAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { isSameTarget } from '../plan/plan-morph.ts'
import type { MorphChange, MorphTarget } from '../plan/write-plan.ts'
import type { Storage } from './storage.ts'

export function* writeMorphs(
  storage: Storage,
  source: number,
  attribute: RelationAttribute,
  change: MorphChange,
): Work<void> {
  const { statements } = storage
  const table = storage.morphsOf(attribute)
  const rows = yield* run(statements.morphsFrom(table), [source])
  const before = rows.map((row) => ({ uid: String(row[0]), id: Number(row[1]) }))
  const after = changed(attribute, before, change)
  for (const { uid, id } of before) {
    if (!after.some((target) => target.type.uid === uid && target.id === id))
      yield* run(statements.deleteMorph(table), [source, uid, id])
  }
  for (const [index, { type, id }] of after.entries()) {
    const place = index + 1
    if (before.some((target) => target.uid === type.uid && target.id === id)) {
      yield* run(statements.moveMorph(table), [place, source, type.uid, id])
      continue
    }
    if (shownByOne(attribute, type) !== undefined) yield* run(statements.releaseMorph(table), [type.uid, id])
    const last = yield* run(statements.lastMorphOrder(table), [type.uid, id])
    yield* run(statements.insertMorph(table), [source, type.uid, id, place, Number(last[0]?.[0] ?? 0) + 1])
  }
}

/** The target's morphOne that looks at this attribute. */
export function shownByOne(attribute: RelationAttribute, target: ContentType): RelationAttribute | undefined {
  for (const other of target.attributes.values()) {
    if (other.kind === 'relation' && other.inverse === attribute && other.cardinality === 'one') return other
  }
  return undefined
}

function changed(
  attribute: RelationAttribute,
  before: readonly { readonly uid: string; readonly id: number }[],
  change: MorphChange,
): readonly MorphTarget[] {
  if (change.kind === 'set') return change.targets
  // A content-type that the configuration no longer has keeps its rows out of sight, and they end here.
  const present = before.flatMap(({ uid, id }) => {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    return type === undefined ? [] : [{ type, id }]
  })
  const { connect, disconnect } = change
  const without = present.filter(
    (target) => ![...disconnect, ...connect].some((gone) => isSameTarget(gone, target)),
  )
  const added = connect.filter((target) => !disconnect.some((gone) => isSameTarget(gone, target)))
  return [...without, ...added]
}
