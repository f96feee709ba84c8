// Finds a write's changes by comparing a document's rows before and after.

import { hasLinks } from '../../model/attribute-targets.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { EntryObject } from '../../query/rows/to-object.ts'
import type { Work } from '../../storage/database.ts'
import type { FinishVersions } from '../content.ts'
import { type DocumentRow, readDocumentRows, readRowsWithIds } from '../document-rows.ts'
import type { WriteAction } from '../lifecycle.ts'
import type { EntryChange, Writer } from '../recorded-changes.ts'
import type { Storage } from '../storage.ts'
import { listSharedAttributes } from '../writes/localize-entries.ts'

type DocumentBefore = ReadonlyMap<
  number,
  { readonly row: DocumentRow; readonly image: EntryObject | undefined }
>

interface DocumentWrite {
  readonly action: WriteAction
  readonly type: ContentType
  /** The written row; undefined after it was deleted. */
  readonly id: number | undefined
  readonly finish: FinishVersions | undefined
  readonly attributes: readonly string[]
  readonly by: Writer | undefined
}

export function* readDocumentBefore(
  storage: Storage,
  type: ContentType,
  id: number | undefined,
  buildImage: ((row: DocumentRow) => Work<EntryObject | undefined>) | undefined,
): Work<DocumentBefore> {
  const before = new Map<number, { row: DocumentRow; image: EntryObject | undefined }>()
  if (id === undefined) return before
  const [own] = yield* readRowsWithIds(storage, type, [id])
  if (own === undefined) return before
  for (const row of yield* readDocumentRows(storage, type, own.documentId))
    before.set(row.id, { row, image: buildImage && (yield* buildImage(row)) })
  return before
}

/** Must run after the write, within its transaction. */
export function* listDocumentChanges(
  storage: Storage,
  write: DocumentWrite,
  before: DocumentBefore,
): Work<readonly EntryChange[]> {
  const { action, type, id, finish, attributes, by } = write
  const former = [...before.values()]
  const [written] = id === undefined ? [] : yield* readRowsWithIds(storage, type, [id])
  const documentId = written?.documentId ?? former[0]?.row.documentId
  if (documentId === undefined) return []
  const now = yield* readDocumentRows(storage, type, documentId)
  const changes: EntryChange[] = []
  const add = (
    done: EntryChange['action'],
    row: DocumentRow,
    names: readonly string[] = [],
    image: EntryObject | undefined = before.get(row.id)?.image,
  ): void => {
    const status = hasVersions(type) ? row.version : undefined
    const document = { id: row.documentId, status }
    const locale = row.locale ?? undefined
    changes.push({ action: done, type, id: row.id, attributes: names, before: image, locale, document, by })
  }

  if (action === 'delete' || written === undefined) {
    const left = new Set(now.map((row) => row.id))
    for (const { row } of former) if (!left.has(row.id)) add('delete', row)
    return changes
  }

  const others = (version: DocumentRow['version']): readonly DocumentRow[] =>
    now.filter((row) => row.version === version && row.locale !== written.locale)
  const inStep = new Set(type.localized ? listSharedAttributes(type).map(({ name }) => name) : [])
  const shared = attributes.filter((name) => inStep.has(name))
  const silent = finish !== undefined && hasVersions(type) && action === 'update' && attributes.length === 0
  if (!silent) add(action, written, attributes)
  if (shared.length > 0) for (const row of others(written.version)) add('update', row, shared)
  if (!hasVersions(type) || finish === undefined) return changes

  const isPublished = (row: DocumentRow): boolean =>
    row.version === 'published' && row.locale === written.locale
  const published = former.find(({ row }) => isPublished(row))
  const shareWhole = (version: DocumentRow['version']): void => {
    if (inStep.size > 0) for (const other of others(version)) add('update', other, [...inStep])
  }
  if (finish === 'discard') {
    add('draft-discard', written, copiedNames(type))
    shareWhole('draft')
  } else if (finish === 'unpublish') {
    if (published !== undefined) add('unpublish', published.row)
  } else {
    const row = now.find(isPublished)
    if (row !== undefined) add('publish', row, copiedNames(type), published?.image)
    shareWhole('published')
  }
  return changes
}

/** Publishing and discarding write a version as a whole. */
function copiedNames({ attributes }: ContentType): readonly string[] {
  const names: string[] = []
  for (const attribute of attributes.values()) {
    if (attribute.kind === 'scalar' && (attribute.system || attribute.computed !== undefined)) continue
    if (attribute.kind === 'relation' && !hasLinks(attribute)) continue
    names.push(attribute.name)
  }
  return names
}
