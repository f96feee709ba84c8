// Writes changes of relations and media: lists keep their order on both sides, and an entry that can belong to one
// entry only is taken from its previous owner.

import { run, type Work } from '../../databases/database.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { MediaAttribute, RelationAttribute } from '../../model/attribute.ts'
import { hidesSome } from '../../plan/conditions/plan-visibility.ts'
import type { Connection, LinkChange, LinkWrite } from '../../plan/write/write-plan.ts'
import type { WriteStatements } from '../../sql/compile-write.ts'
import type { Links } from '../../sql/join-tables.ts'
import { differences } from './list-differences.ts'

export interface Linking {
  readonly statements: WriteStatements
  linksOf(attribute: RelationAttribute | MediaAttribute): Links
}

/** `isNew`: the near entry was inserted a moment ago, and has no links yet. */
export function* writeLinks(linking: Linking, near: number, write: LinkWrite, isNew = false): Work<void> {
  const { statements } = linking
  const { attribute, change } = write
  const links = linking.linksOf(attribute)
  const rows = isNew ? [] : yield* run(statements.linksFrom(links), [near])
  const before = new Map(rows.map(([far, order]) => [Number(far), Number(order ?? 0)]))
  const after = changed([...before.keys()], change)
  const { removed, added, moved } = differences(before, after, placedAnew(change))
  const { target } = attribute
  // Where linked entries may be hidden, the same statements run whether or not there are any.
  const alike = !isNew && target !== undefined && hidesSome(write.access, target)
  if ((alike && change.kind === 'set') || removed.length > 0)
    yield* run(statements.deleteLinks(links), [near, statements.encodeIds(removed)])
  if (added.size > 0) {
    if (belongsToOne(attribute))
      yield* run(statements.releaseFar(links), [statements.encodeIds([...added.keys()])])
    yield* run(statements.insertLinks(links), [near, statements.encodeOrders(added)])
  }
  if (links.order !== undefined && (alike || moved.size > 0))
    yield* run(statements.orderLinks(links), [statements.encodeOrders(moved), near])
}

/** Entries in `connect` get a new position, even if they were in the list before. */
function placedAnew(change: LinkChange): ReadonlySet<number> {
  return new Set(change.kind === 'change' ? change.connect.map(({ id }) => id) : [])
}

/** Whether a far entry can be in one list only, so that it leaves the list it was in. */
export function belongsToOne(attribute: RelationAttribute | MediaAttribute): boolean {
  if (attribute.kind === 'media') return false
  return attribute.exclusive || attribute.inverse?.cardinality === 'one'
}

/** The list after a change; `connect` is applied in the order of the payload. */
function changed(before: readonly number[], change: LinkChange): readonly number[] {
  if (change.kind === 'set') return change.ids
  const gone = new Set(change.disconnect)
  const list = before.filter((id) => !gone.has(id))
  for (const connection of inOrder(change.connect)) place(list, connection)
  return list
}

/** Sorts `connect` so that an entry comes after any other one that its position refers to. */
function inOrder(connect: readonly Connection[]): readonly Connection[] {
  const byId = new Map<number, Connection[]>()
  for (const connection of connect) {
    const same = byId.get(connection.id)
    if (same === undefined) byId.set(connection.id, [connection])
    else same.push(connection)
  }
  const ordered = new Set<Connection>()
  const open = new Set<Connection>()
  const add = (connection: Connection): void => {
    if (open.has(connection)) throw circular()
    if (ordered.has(connection)) return
    open.add(connection)
    const besides = 'id' in connection.position ? byId.get(connection.position.id) : undefined
    for (const other of besides ?? []) if (other !== connection) add(other)
    open.delete(connection)
    ordered.add(connection)
  }
  for (const connection of connect) add(connection)
  return [...ordered]
}

/** The error for a position beside an entry that is not in the list. */
export function notConnected({ id, position }: Connection): ApiError {
  const anchor = 'id' in position ? position.id : undefined
  return new ApiError(
    'ValidationError',
    `There was a problem connecting relation with id ${id} at position ${JSON.stringify({ [position.at]: anchor })}. The relation with id ${anchor} needs to be connected first.`,
  )
}

function place(list: number[], connection: Connection): void {
  const { id, position } = connection
  const already = list.indexOf(id)
  if (already >= 0) list.splice(already, 1)
  if (position.at === 'end') list.push(id)
  else if (position.at === 'start') list.unshift(id)
  else {
    const anchor = list.indexOf(position.id)
    if (anchor < 0) throw notConnected(connection)
    list.splice(anchor + (position.at === 'after' ? 1 : 0), 0, id)
  }
}

function circular(): ApiError {
  return new ApiError(
    'ValidationError',
    'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
  )
}
