// Gives entries a new version when a write changes them from the other side of a relation.

import type { MediaAttribute, RelationAttribute } from '../../model/attribute.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import { run, type Work } from '../../storage/database.ts'
import { mapToVersion } from '../document-rows.ts'
import type { Storage } from '../storage.ts'

/** A document's published version moves with its draft, so that both have one number as long as they are equal. */
export function* touchInverse(
  storage: Storage,
  attribute: RelationAttribute | MediaAttribute,
  ids: readonly number[],
): Work<void> {
  const { target } = attribute
  const inverse = attribute.kind === 'relation' ? attribute.inverse : undefined
  if (inverse === undefined || target === undefined || ids.length === 0) return
  const published = hasVersions(target)
    ? [...(yield* mapToVersion(storage, target, ids, 'published')).values()]
    : []
  const { statements } = storage
  yield* run(statements.touchRows(target, [inverse.name]), [
    statements.encodeIds([...new Set([...ids, ...published])]),
  ])
}

/** Before entries are deleted: those that are linked to them change. */
export function* touchLinking(storage: Storage, type: ContentType, ids: readonly number[]): Work<void> {
  const { statements } = storage
  for (const { owner, attribute, links } of storage.linkedTo(type))
    yield* run(statements.touchOwners(owner, attribute.name, links), [statements.encodeIds(ids)])
}
