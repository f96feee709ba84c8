// Changes of relations and media: lists keep their order on both sides, and whoever belongs to one entry only is
// taken from its previous owner (BEHAVIOUR 9.20 to 9.24).

import { run, type Work } from '../databases/database.ts'
import { ApiError } from '../errors/api-error.ts'
import type { MediaAttribute, RelationAttribute } from '../model/attribute.ts'
import type { Connection, LinkChange, LinkWrite } from '../plan/write-plan.ts'
import type { WriteStatements } from '../sql/compile-write.ts'
import type { Links } from '../sql/join-tables.ts'

export interface Linking {
  readonly statements: WriteStatements
  linksOf(attribute: RelationAttribute | MediaAttribute): Links
}

export function* writeLinks(linking: Linking, near: number, write: Omit<LinkWrite, 'access'>): Work<void> {
  const { statements } = linking
  const { attribute, change } = write
  const links = linking.linksOf(attribute)
  const rows = yield* run(statements.linksFrom(links), [near])
  const before = rows.map((row) => Number(row[0]))
  const after = changed(before, change)
  const kept = new Set(after)
  for (const far of before) if (!kept.has(far)) yield* run(statements.deleteLink(links), [near, far])
  const present = new Set(before)
  for (const [index, far] of after.entries()) {
    const place = index + 1
    if (present.has(far)) {
      if (links.order !== undefined && before[index] !== far)
        yield* run(statements.moveLink(links), [place, near, far])
      continue
    }
    if (belongsToOne(attribute)) yield* run(statements.releaseFar(links), [far])
    const values = [near, far]
    if (links.order !== undefined) values.push(place)
    if (links.farOrder !== undefined) {
      const last = yield* run(statements.lastFarOrder(links), [far])
      values.push(Number(last[0]?.[0] ?? 0) + 1)
    }
    yield* run(statements.insertLink(links), values)
  }
}

/** Whether a far entry can be in one list only: then it leaves the list it was in. */
export function belongsToOne(attribute: RelationAttribute | MediaAttribute): boolean {
  if (attribute.kind === 'media') return false
  return attribute.exclusive || attribute.inverse?.cardinality === 'one'
}

/** The list after a change; the order of `connect` is that of the payload. */
export function changed(before: readonly number[], change: LinkChange): readonly number[] {
  if (change.kind === 'set') return change.ids
  const gone = new Set(change.disconnect)
  const list = before.filter((id) => !gone.has(id))
  const waiting = [...change.connect]
  // A position may refer to another member of the same `connect`, written before or after it.
  while (waiting.length > 0) {
    const ready = waiting.findIndex((connection) => isReady(list, waiting, connection))
    const next = waiting[ready]
    if (next === undefined) throw circular()
    waiting.splice(ready, 1)
    place(list, next)
  }
  return list
}

function isReady(list: readonly number[], waiting: readonly Connection[], connection: Connection): boolean {
  const { position } = connection
  if (position.at === 'start' || position.at === 'end') return true
  const announced = waiting.some((other) => other !== connection && other.id === position.id)
  if (list.includes(position.id) && position.id !== connection.id && !announced) return true
  if (announced) return false
  throw notConnected(connection)
}

/** The entry beside which another one is to stand is not in the list. */
export function notConnected({ id, position }: Connection): ApiError {
  const beside = 'id' in position ? position.id : undefined
  return new ApiError(
    'ValidationError',
    `There was a problem connecting relation with id ${id} at position ${JSON.stringify({ [position.at]: beside })}. The relation with id ${beside} needs to be connected first.`,
  )
}

function place(list: number[], { id, position }: Connection): void {
  const already = list.indexOf(id)
  if (already >= 0) list.splice(already, 1)
  if (position.at === 'end') list.push(id)
  else if (position.at === 'start') list.unshift(id)
  else list.splice(list.indexOf(position.id) + (position.at === 'after' ? 1 : 0), 0, id)
}

function circular(): ApiError {
  return new ApiError(
    'ValidationError',
    'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
  )
}
