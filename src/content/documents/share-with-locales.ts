// Gives a version of a document in other locales what all of them share, when the version in one locale was replaced.

import type { Work } from '../../databases/database.ts'
import type { ContentType } from '../../model/content-type.ts'
import { inVersion, otherLocales, type Version } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { copyAttributes } from '../writes/copy-attributes.ts'
import { keptInStep } from '../writes/localize-entries.ts'
import { shareValues } from '../writes/share-values.ts'
import { linksOfVersion } from './copy-version.ts'

/**
 * `id`: the row that was replaced by the document's other version. Returns the rows that changed with it. Each locale
 * has the same in its own other version, with the links of its components; a locale without one takes them from `id`.
 */
export function* shareWithLocales(
  storage: Storage,
  type: ContentType,
  id: number,
  version: Version,
): Work<readonly number[]> {
  const shared = keptInStep(type)
  if (shared.length === 0) return []
  const others = yield* otherLocales(storage, type, id)
  const sources = yield* inVersion(storage, type, others, version === 'draft' ? 'published' : 'draft')
  const links = linksOfVersion(storage, type, version, {})
  for (const other of others) {
    const source = sources.get(other)
    if (source === undefined) yield* shareValues(storage, type, shared, { from: id, to: other })
    else yield* copyAttributes(storage, type, shared, source, other, links)
  }
  return others
}
