// Links entries without versions to a document's draft and published version, both at the same position.

import { everything } from '../../model/access.ts'
import type { Attribute, RelationAttribute } from '../../model/attribute.ts'
import { hasLinks } from '../../model/attribute-targets.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { run, type Work } from '../../storage/database.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'
import { mapToVersion } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { readPlacedComponents } from '../writes/write-components.ts'
import { belongsToOne } from '../writes/write-links.ts'
import { writeMorphs } from '../writes/write-morphs.ts'
import { listOrders, releaseOthers } from './copy-version.ts'

/** Must run after the row was written. */
export function* readLinkVersions(
  storage: Storage,
  schema: Schema,
  id: number,
  attributes: Iterable<Attribute> = schema.attributes.values(),
): Work<void> {
  for (const attribute of attributes) {
    if (attribute.kind === 'component' || attribute.kind === 'dynamiczone') {
      for (const { component, id: row } of yield* readPlacedComponents(storage, attribute, id))
        yield* readLinkVersions(storage, component, row)
    } else if (attribute.kind === 'relation' && hasLinks(attribute)) {
      if (attribute.target === undefined) yield* mirrorMorphs(storage, attribute, id)
      else if (hasVersions(attribute.target)) yield* mirrorLinks(storage, attribute, attribute.target, id)
    }
  }
}

function* mirrorLinks(
  storage: Storage,
  attribute: RelationAttribute,
  target: ContentType,
  ownId: number,
): Work<void> {
  const { statements } = storage
  const links = storage.getLinkTable(attribute)
  const rows = yield* run(statements.linkRows(links), [ownId])
  if (rows.length === 0) return
  const otherIds = rows.map(([otherId]) => Number(otherId))
  const published = yield* mapToVersion(storage, target, otherIds, 'published')
  const drafts = rows.filter(([otherId]) => published.get(Number(otherId)) !== Number(otherId))
  const gone = otherIds.filter((otherId) => published.get(otherId) === otherId)
  if (gone.length > 0) yield* run(statements.deleteLinks(links), [ownId, statements.encodeIds(gone)])
  for (const [otherId, order, otherOrder] of drafts) {
    const other = published.get(Number(otherId))
    if (other === undefined) continue
    if (belongsToOne(attribute)) yield* releaseOthers(storage, attribute, other, ownId)
    yield* run(statements.insertLinkRow(links), [ownId, other, ...listOrders(links, order, otherOrder)])
  }
}

function* mirrorMorphs(storage: Storage, attribute: RelationAttribute, source: number): Work<void> {
  const rows = yield* run(storage.statements.morphsFrom(storage.getMorphs(attribute)), [source])
  const targets: { type: ContentType; id: number }[] = []
  let versions = false
  for (const [uid, id] of rows) {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    if (type === undefined) continue
    if (!hasVersions(type)) {
      targets.push({ type, id: Number(id) })
      continue
    }
    versions = true
    const published = (yield* mapToVersion(storage, type, [Number(id)], 'published')).get(Number(id))
    if (published === Number(id)) continue
    targets.push({ type, id: Number(id) })
    if (published !== undefined) targets.push({ type, id: published })
  }
  if (versions)
    yield* writeMorphs(storage, source, { attribute, change: { kind: 'set', targets }, access: everything })
}

export function* linkPublished(
  storage: Storage,
  type: ContentType,
  draft: number,
  published: number,
): Work<void> {
  for (const links of storage.linksTo(type)) {
    const rows = yield* run(storage.statements.linkRows(links), [draft])
    const known = new Set(
      (yield* run(storage.statements.linkRows(links), [published])).map(([otherId]) => Number(otherId)),
    )
    for (const [otherId, order, otherOrder] of rows as readonly SqlRow[]) {
      if (!known.has(Number(otherId)))
        yield* run(storage.statements.insertLinkRow(links), [
          published,
          Number(otherId),
          ...listOrders(links, order, otherOrder),
        ])
    }
  }
}
