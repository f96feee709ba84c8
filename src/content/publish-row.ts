// Publishes a draft: its published version becomes a copy of the whole draft, and is linked wherever documents without
// versions are linked to the draft.

import { run, type Work } from '../databases/database.ts'
import { invariant } from '../errors/invariant.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { PlanValue } from '../plan/read-plan.ts'
import { copyVersion } from './copy-version.ts'
import { inVersion } from './document-rows.ts'
import { linkPublished } from './link-versions.ts'
import type { Storage } from './storage.ts'

/** What the published row says of itself besides what it copies. */
export interface Publishing {
  /** Epoch milliseconds. */
  readonly publishedAt: PlanValue
  /** The id of a published row that there is not yet. */
  readonly id?: number
}

/** Returns the id of the published row. */
export function* publishRow(
  storage: Storage,
  type: ContentType,
  draft: number,
  publishing: Publishing,
): Work<number> {
  const id = yield* makePublished(storage, type, draft, publishing)
  yield* copyVersion(storage, type, draft, id, 'published')
  yield* linkPublished(storage, type, draft, id)
  return id
}

/** Makes the published row, or renews it, without what it copies of the draft's attributes. */
export function* makePublished(
  storage: Storage,
  type: ContentType,
  draft: number,
  { publishedAt, id: given }: Publishing,
): Work<number> {
  const { statements } = storage
  const { document, locale, createdAt, updatedAt, publishedAt: state } = type
  invariant(document !== undefined && state !== undefined, `${type.uid} has versions`)
  const known = (yield* inVersion(storage, type, [draft], 'published')).get(draft)
  const values = new Map<ScalarAttribute, PlanValue>([[state, publishedAt]])
  if (given !== undefined && known === undefined) values.set(type.id, given)
  const columns = [...values.keys()]
  const encoded = columns.map((column) => statements.encode(column, values.get(column) ?? null))
  let id = known
  if (id === undefined) {
    const [row] = yield* run(statements.insertRow(type, columns), encoded)
    invariant(row !== undefined, 'an inserted row has an id')
    id = Number(row[0])
  } else yield* run(statements.updateRow(type, columns), [...encoded, id])
  const copied = [document.documentId, createdAt, updatedAt, locale].filter((one) => one !== undefined)
  yield* run(statements.copyColumns(type, copied), [draft, id])
  return id
}
