// Completes the write of a document's row, in its transaction: publishes the draft, or synchronizes links.

import { createValidationErrors } from '../../lib/errors/api-error.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Work } from '../../storage/database.ts'
import { run } from '../../storage/database.ts'
import type { FinishVersions } from '../content.ts'
import { listOtherLocales, mapToVersion, type Version } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { assertChecks } from '../writes/check-entries.ts'
import { createNotUnique, readClashes } from '../writes/check-together.ts'
import { copyAttributes } from '../writes/copy-attributes.ts'
import { listSharedAttributes } from '../writes/localize-entries.ts'
import { shareValues } from '../writes/share-values.ts'
import { createNotFound, deleteEntry } from '../writes/write-entries.ts'
import { hasUniqueComponents } from './check-published-components.ts'
import { findTakenByOthers } from './check-published-unique.ts'
import { copyVersion, createVersionLinks } from './copy-version.ts'
import { readLinkVersions } from './link-versions.ts'
import { publishRow } from './publish-row.ts'

export function* finishVersions(
  storage: Storage,
  type: ContentType,
  id: number,
  finish: FinishVersions | undefined,
  now: number,
): Work<number> {
  if (type.document === undefined) return id
  if (!hasVersions(type)) {
    yield* readLinkVersions(storage, type, id)
    const shared = listSharedAttributes(type)
    if (shared.length > 0)
      for (const other of yield* listOtherLocales(storage, type, id))
        yield* readLinkVersions(storage, type, other, shared)
    return id
  }
  if (finish === undefined) return id
  if (finish === 'publish') return yield* publishDraft(storage, type, id, now)
  const published = (yield* mapToVersion(storage, type, [id], 'published')).get(id)
  if (published === undefined) {
    // Unpublishing without a published version changes nothing; discarding needs one.
    if (finish === 'discard') throw createNotFound()
    return id
  }
  if (finish === 'unpublish') yield* deleteEntry(storage, type, published)
  else {
    yield* copyVersion(storage, type, published, id, 'draft')
    const { statements } = storage
    yield* run(statements.copyColumns(type, [type.updatedAt]), [published, id])
    const shared = listSharedAttributes(type).map(({ name }) => name)
    for (const other of yield* shareWithLocales(storage, type, id, 'draft'))
      yield* run(statements.updateRow(type, [type.updatedAt], undefined, shared), [
        statements.encode(type.updatedAt, now),
        other,
      ])
  }
  return id
}

/**
 * Also copies shared values to published versions in other locales. Throws ValidationError if another
 * document has its unique values.
 */
function* publishDraft(storage: Storage, type: ContentType, draft: number, now: number): Work<number> {
  // Of two documents with one value published at once, the second waits here and then finds the first.
  const lock = hasUnique(type) ? storage.statements.lockTable(type) : undefined
  if (lock !== undefined) yield* run(lock, [])
  const before = (yield* mapToVersion(storage, type, [draft], 'published')).get(draft)
  const taken = yield* findTakenByOthers(storage, type, draft, before)
  if (taken.length > 0) throw createValidationErrors(taken)
  const id = yield* publishRow(storage, type, draft, { publishedAt: now })
  const others = yield* shareWithLocales(storage, type, id, 'published')
  for (const other of others) yield* run(storage.statements.copyColumns(type, [type.updatedAt]), [id, other])
  const [clash] = yield* readClashes(storage, type, [id, ...others])
  if (clash !== undefined) throw createNotUnique(clash.set)
  yield* assertChecks(storage, type, [id, ...others])
  return id
}

function hasUnique(type: ContentType): boolean {
  const { attributes, uniqueSets } = type
  if (uniqueSets.length > 0 || hasUniqueComponents(type)) return true
  return [...attributes.values()].some((one) => one.kind === 'scalar' && one.unique)
}

/**
 * `id`: the replaced row. Other locales copy shared values from their own other version, or else from `id`.
 * Returns the changed rows.
 */
function* shareWithLocales(
  storage: Storage,
  type: ContentType,
  id: number,
  version: Version,
): Work<readonly number[]> {
  const shared = listSharedAttributes(type)
  if (shared.length === 0) return []
  const others = yield* listOtherLocales(storage, type, id)
  const sources = yield* mapToVersion(storage, type, others, version === 'draft' ? 'published' : 'draft')
  const links = createVersionLinks(storage, type, version, {})
  for (const other of others) {
    const source = sources.get(other)
    if (source === undefined) yield* shareValues(storage, type, shared, { from: id, to: other })
    else yield* copyAttributes(storage, type, shared, source, other, links)
  }
  return others
}
