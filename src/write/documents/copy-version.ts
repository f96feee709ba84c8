// Copies a document's version over its other version, with links and components. Links lead to the target's
// same version; targets without one are left out.

import type { MediaAttribute, RelationAttribute } from '../../model/attribute.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { run, type Work } from '../../storage/database.ts'
import { type Links, reverseLinks } from '../../storage/sql/join-tables.ts'
import type { SqlValue } from '../../storage/sql/statement.ts'
import { mapToVersion, type Version } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { copyAttributes, type LinkCopying } from '../writes/copy-attributes.ts'
import { belongsToOne } from '../writes/write-links.ts'

export interface CopyContext {
  /** Its positions in the lists of other documents are reused. */
  readonly former?: number | undefined
  /** Keeps positions in the lists of other documents, as in a seed. */
  readonly keepsPlaces?: boolean
}

export function copyVersion(
  storage: Storage,
  schema: Schema,
  from: number,
  to: number,
  version: Version,
  copying: CopyContext = {},
): Work<void> {
  const links = createVersionLinks(storage, schema, version, copying)
  return copyAttributes(storage, schema, schema.attributes.values(), from, to, links)
}

export function createVersionLinks(
  storage: Storage,
  schema: Schema,
  version: Version,
  copying: CopyContext,
): LinkCopying {
  return {
    copyLinks(owner, attribute, target, original, copy) {
      // Components are copied as new ones, without former positions.
      return copyLinks(
        storage,
        owner,
        attribute,
        target,
        original,
        copy,
        version,
        owner === schema ? copying : {},
      )
    },
    *morphTarget(type, id) {
      return hasVersions(type) ? (yield* mapToVersion(storage, type, [id], version)).get(id) : id
    },
  }
}

/**
 * A link keeps its position in this side's list. In a versioned document's list it takes the former row's
 * position, or comes last; entries without versions list both versions at one position.
 */
function* copyLinks(
  storage: Storage,
  owner: Schema,
  attribute: RelationAttribute | MediaAttribute,
  target: ContentType,
  from: number,
  to: number,
  version: Version,
  copying: CopyContext,
): Work<void> {
  const { statements } = storage
  const links = storage.getLinkTable(attribute)
  const rows = yield* run(statements.linkRows(links), [from])
  const before = yield* run(statements.linkRows(links), [to])
  const { former } = copying
  const places = new Map<unknown, SqlValue | undefined>()
  for (const [otherId, , place] of [
    ...before,
    ...(former === undefined ? [] : yield* run(statements.linkRows(links), [former])),
  ])
    places.set(Number(otherId), place)
  if (before.length > 0)
    yield* run(statements.deleteLinks(links), [
      to,
      statements.encodeIds(before.map(([otherId]) => Number(otherId))),
    ])
  const otherIds = rows.map(([otherId]) => Number(otherId))
  const targets = hasVersions(target) ? yield* mapToVersion(storage, target, otherIds, version) : undefined
  for (const [otherId, order, otherOrder] of rows) {
    const found = targets === undefined ? Number(otherId) : targets.get(Number(otherId))
    if (found === undefined) continue
    // A document that is linked to itself.
    const other = target === owner && found === former ? to : found
    if (belongsToOne(attribute)) yield* releaseOthers(storage, attribute, other, from)
    const place =
      targets === undefined || copying.keepsPlaces === true
        ? otherOrder
        : (places.get(other) ?? (yield* behindLast(storage, links, other)))
    yield* run(statements.insertLinkRow(links), [to, other, ...listOrders(links, order, place)])
  }
}

function* behindLast(storage: Storage, links: Links, otherId: number): Work<number> {
  if (links.otherOrder === undefined) return 0
  const rows = yield* run(storage.statements.linkRows(reverseLinks(links)), [otherId])
  return Math.max(0, ...rows.map(([, order]) => Number(order ?? 0))) + 1
}

export function listOrders(
  { order, otherOrder }: { readonly order: unknown; readonly otherOrder: unknown },
  ownPosition: SqlValue | undefined,
  otherPosition: SqlValue | undefined,
): readonly SqlValue[] {
  return [
    ...(order === undefined ? [] : [ownPosition ?? 0]),
    ...(otherOrder === undefined ? [] : [otherPosition ?? 0]),
  ]
}

export function* releaseOthers(
  storage: Storage,
  attribute: RelationAttribute | MediaAttribute,
  otherId: number,
  ownId: number,
): Work<void> {
  const { statements } = storage
  const links = storage.getLinkTable(attribute)
  const back = reverseLinks(links)
  const owners = (yield* run(statements.linkRows(back), [otherId])).map(([owner]) => Number(owner))
  const others = owners.filter((owner) => owner !== ownId)
  if (others.length > 0) yield* run(statements.deleteLinks(back), [otherId, statements.encodeIds(others)])
}
