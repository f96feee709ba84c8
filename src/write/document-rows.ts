// The rows of documents, each a version in one locale.

import { invariant } from '../lib/errors/invariant.ts'
import type { ContentType } from '../model/content-type.ts'
import { mayExist } from '../query/create-reads.ts'
import { run, type Work } from '../storage/database.ts'
import type { Version } from '../storage/sql/compile-document-write.ts'
import type { SqlRow } from '../storage/sql/statement.ts'
import type { Storage } from './storage.ts'

export type { Version } from '../storage/sql/compile-document-write.ts'

export interface DocumentRow {
  readonly id: number
  readonly documentId: string
  readonly version: Version
  /** Null for types without locales. */
  readonly locale: string | null
}

export function* readDocumentRows(
  storage: Storage,
  type: ContentType,
  documentId: string,
): Work<readonly DocumentRow[]> {
  return yield* readRowsOfDocuments(storage, type, [documentId])
}
export function* readRowsOfDocuments(
  { statements }: Storage,
  type: ContentType,
  documentIds: readonly string[],
): Work<readonly DocumentRow[]> {
  const possible = documentIds.filter(mayExist)
  if (possible.length === 0) return []
  const rows = yield* run(statements.rowsOfDocuments(type), [statements.encodeTexts(possible)])
  return rows.map((row) => getRow(row.slice(1)))
}

export function* readRowsWithIds(
  { statements }: Storage,
  type: ContentType,
  ids: readonly number[],
): Work<readonly DocumentRow[]> {
  if (ids.length === 0) return []
  return (yield* run(statements.getDocuments(type), [statements.encodeIds(ids)])).map(getRow)
}

function getRow([id, documentId, publishedAt, locale]: SqlRow): DocumentRow {
  invariant(documentId !== null && documentId !== undefined, 'a row of a document has its documentId')
  return {
    id: Number(id),
    documentId: String(documentId),
    version: publishedAt === null ? 'draft' : 'published',
    locale: locale === null || locale === undefined ? null : String(locale),
  }
}

/** By the given id; a row of that version maps to itself. */
export function* mapToVersion(
  { statements }: Storage,
  type: ContentType,
  ids: readonly number[],
  version: Version,
): Work<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = yield* run(statements.counterparts(type, version), [statements.encodeIds(ids)])
  return new Map(rows.map(([own, other]) => [Number(own), Number(other)]))
}

export function* listOtherLocales(
  { statements }: Storage,
  type: ContentType,
  id: number,
): Work<readonly number[]> {
  if (type.locale === undefined) return []
  return (yield* run(statements.otherLocales(type), [id])).map(([other]) => Number(other))
}
