// Publishes a draft by copying it, and links the copy wherever documents without versions link to the draft.

import { invariant } from '../../lib/errors/invariant.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import { mapToVersion } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { deleteEntry } from '../writes/write-entries.ts'
import { copyVersion } from './copy-version.ts'
import { linkPublished } from './link-versions.ts'

interface PublishContext {
  /** Epoch milliseconds. */
  readonly publishedAt: PlanValue
  readonly id?: number
}

/**
 * Returns the id, which is new at every publishing. Documents that link to the former row by a relation of
 * their own are linked to the new one.
 */
export function* publishRow(
  storage: Storage,
  type: ContentType,
  draft: number,
  publishing: PublishContext,
): Work<number> {
  const former = (yield* mapToVersion(storage, type, [draft], 'published')).get(draft)
  const id = yield* makePublished(storage, type, draft, publishing)
  if (former !== undefined) yield* moveLinks(storage, type, former, id)
  yield* copyVersion(storage, type, draft, id, 'published', { former })
  if (former !== undefined) yield* deleteEntry(storage, type, former)
  yield* linkPublished(storage, type, draft, id)
  return id
}

export function* makePublished(
  { statements }: Storage,
  type: ContentType,
  draft: number,
  { publishedAt, id: given }: PublishContext,
): Work<number> {
  const { document, locale, createdAt, updatedAt, publishedAt: state } = type
  invariant(document !== undefined && state !== undefined, `${type.uid} has versions`)
  const values = new Map<ScalarAttribute, PlanValue>([[state, publishedAt]])
  if (given !== undefined) values.set(type.id, given)
  const columns = [...values.keys()]
  const encoded = columns.map((column) => statements.encode(column, values.get(column) ?? null))
  const [row] = yield* run(statements.insertRow(type, columns), encoded)
  invariant(row !== undefined, 'an inserted row has an id')
  const id = Number(row[0])
  const { number, changes } = type.revision
  const copied = [document.documentId, createdAt, updatedAt, locale, number, changes].filter(
    (one) => one !== undefined,
  )
  yield* run(statements.copyColumns(type, copied), [draft, id])
  return id
}

/** Moves links of relations that the type itself does not have. */
function* moveLinks(
  { statements, oneWayTo }: Storage,
  type: ContentType,
  from: number,
  to: number,
): Work<void> {
  for (const links of oneWayTo(type)) yield* run(statements.moveLinks(links), [to, from])
}
