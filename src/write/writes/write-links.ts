// Writes relations and media: both sides keep their order, and exclusive entries leave their previous owner.

import type { MediaAttribute, RelationAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { hidesSome } from '../../plan/conditions/plan-visibility.ts'
import type { LinkChange, LinkWrite } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { WriteStatements } from '../../storage/sql/compile-write.ts'
import type { Links } from '../../storage/sql/join-tables.ts'
import { connectInOrder } from './connect-in-order.ts'
import { differences } from './list-differences.ts'

export interface LinkContext {
  readonly statements: WriteStatements
  getLinkTable(attribute: RelationAttribute | MediaAttribute): Links
}

/** A new ownId entry has no links yet. Returns the entries that gained or lost a link. */
export function* writeLinks(
  linking: LinkContext,
  ownId: number,
  write: LinkWrite,
  isNew = false,
  owner?: ContentType,
): Work<readonly number[]> {
  const { statements } = linking
  const { attribute, change } = write
  const links = linking.getLinkTable(attribute)
  const rows = isNew ? [] : yield* run(statements.linksFrom(links), [ownId])
  const before = new Map(rows.map(([otherId, order]) => [Number(otherId), Number(order ?? 0)]))
  const after = changed([...before.keys()], change)
  const { removed, added, moved } = differences(before, after, placedAnew(change))
  const { target } = attribute
  // The same statements run whether or not hidden entries are linked.
  const alike = !isNew && target !== undefined && hidesSome(write.access, target)
  if ((alike && change.kind === 'set') || removed.length > 0)
    yield* run(statements.deleteLinks(links), [ownId, statements.encodeIds(removed)])
  if (added.size > 0) {
    if (belongsToOne(attribute) && owner !== undefined)
      yield* run(statements.touchOwners(owner, attribute.name, links), [
        statements.encodeIds([...added.keys()]),
      ])
    if (belongsToOne(attribute))
      yield* run(statements.releaseFar(links), [statements.encodeIds([...added.keys()])])
    yield* run(statements.insertLinks(links), [ownId, statements.encodeOrders(added)])
  }
  if (links.order !== undefined && (alike || moved.size > 0))
    yield* run(statements.orderLinks(links), [statements.encodeOrders(moved), ownId])
  return [...removed, ...added.keys()]
}

/** Connected entries get a new position, even if listed before. */
function placedAnew(change: LinkChange): ReadonlySet<number> {
  return new Set(change.kind === 'change' ? change.connect.map(({ id }) => id) : [])
}

/** Whether a otherId entry can be in one list only. */
export function belongsToOne(attribute: RelationAttribute | MediaAttribute): boolean {
  if (attribute.kind === 'media') return false
  return attribute.exclusive || attribute.inverse?.cardinality === 'one'
}

function changed(before: readonly number[], change: LinkChange): readonly number[] {
  if (change.kind === 'set') return change.ids
  const gone = new Set(change.disconnect)
  const list = before.filter((id) => !gone.has(id))
  return connectInOrder<number, { readonly id: number }>(list, change, ({ id }) => id)
}
