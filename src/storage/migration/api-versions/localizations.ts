// Reads and writes which entries are localizations of each other, in the API version where each has its own
// id.

import { everything } from '../../../model/access.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { getLocalizations } from '../../../model/localizations.ts'
import type { Storage } from '../../../write/storage.ts'
import { writeLinks } from '../../../write/writes/write-links.ts'
import { run, type Work } from '../../database.ts'

/**
 * Maps each localized entry to the lowest id among its localizations, and the entries of a single type to
 * their lowest id.
 */
export function* readGroups(storage: Storage, type: ContentType): Work<ReadonlyMap<number, number>> {
  const { statements } = storage
  const ids = (yield* run(statements.everyId(type), [])).map(([id]) => Number(id))
  const roots = new Map<number, number>()
  if (type.kind === 'singleType') {
    const first = Math.min(...ids)
    return new Map(ids.map((id) => [id, first]))
  }
  const attribute = getLocalizations(type)
  if (attribute === undefined) return roots
  const links = storage.getLinkTable(attribute)
  for (const id of ids) {
    const others = (yield* run(statements.linksFrom(links), [id])).map(([target]) => Number(target))
    const group = [id, ...others]
    const root = Math.min(...group.map((one) => roots.get(one) ?? one))
    for (const one of group) roots.set(one, root)
  }
  return roots
}

export function* writeGroups(
  storage: Storage,
  type: ContentType,
  groups: Iterable<readonly number[]>,
): Work<void> {
  const attribute = getLocalizations(type)
  if (attribute === undefined) return
  for (const group of groups) {
    for (const id of group) {
      const ids = group.filter((other) => other !== id)
      yield* writeLinks(storage, id, {
        attribute,
        change: { kind: 'set', ids },
        path: [],
        access: everything,
      })
    }
  }
}
