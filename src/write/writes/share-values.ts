// Copies shared values to another locale. Links in components, and links of a new locale, lead to targets in
// that locale.

import { invariant } from '../../lib/errors/invariant.ts'
import type { Attribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Work } from '../../storage/database.ts'
import { type DocumentRow, readRowsOfDocuments, readRowsWithIds } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { copyAttributes, createLinksTo, type LinkCopying } from './copy-attributes.ts'

/** Both entries exist; the attributes of `to` are replaced. */
export function shareValues(
  storage: Storage,
  type: ContentType,
  attributes: Iterable<Attribute>,
  { from, to }: { readonly from: number; readonly to: number },
): Work<void> {
  const linking = type.document === undefined ? undefined : getLinksInLocale(storage, type, to)
  return copyAttributes(storage, type, attributes, from, to, linking)
}

function getLinksInLocale(storage: Storage, type: ContentType, entry: number): LinkCopying {
  return createLinksTo(storage, function* (target, ids) {
    if (target.locale === undefined || ids.length === 0) return new Map(ids.map((id) => [id, id]))
    const [own] = yield* readRowsWithIds(storage, type, [entry])
    invariant(own !== undefined, 'an entry that is copied to has a row')
    const linked = yield* readRowsWithIds(storage, target, ids)
    const rows = yield* readRowsOfDocuments(
      storage,
      target,
      linked.map(({ documentId }) => documentId),
    )
    const versionKey = ({ documentId, version }: DocumentRow): string => `${version} ${documentId}`
    const inLocale = new Map(
      rows.filter(({ locale }) => locale === own.locale).map((row) => [versionKey(row), row.id]),
    )
    const pairs = linked.map((row) => [row.id, inLocale.get(versionKey(row))] as const)
    return new Map(pairs.flatMap(([id, found]) => (found === undefined ? [] : [[id, found]])))
  })
}
