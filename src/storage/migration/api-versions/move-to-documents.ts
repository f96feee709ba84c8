// Moves content from `strapi-4` to `strapi-5`: an entry becomes a draft with its id, plus a published
// version; localizations become one document.

import { createDocumentId, deriveDocumentId } from '../../../lib/document-id.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { copyVersion } from '../../../write/documents/copy-version.ts'
import { linkPublished, readLinkVersions } from '../../../write/documents/link-versions.ts'
import type { Storage } from '../../../write/storage.ts'
import type { ApiVersionMove, MovedType } from '../../check-api-version.ts'
import { run, type Work } from '../../database.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { createDraftStatements } from '../../sql/migrations/draft-statements.ts'
import type { SqlRow } from '../../sql/statement.ts'
import { readGroups } from './localizations.ts'
import { some, type TwoApiVersions } from './two-api-versions.ts'

const KEPT = { keepsPlaces: true } as const

export function moveToDocuments({ former, next }: TwoApiVersions, dialect: Dialect): ApiVersionMove {
  const all = [...next.model.contentTypes.values()].filter(({ document }) => document !== undefined)
  const { countEntries } = createDraftStatements(dialect)

  return {
    layout: former.layout,
    *plan({ from }) {
      const types: MovedType[] = []
      for (const type of all) {
        const known = former.model.contentTypes.get(type.uid) ?? type
        const [row] = yield* run(countEntries(known, from), [])
        const [count = 0, published = 0] = row?.map(Number) ?? []
        if (count > 0) types.push(movedType(type, count, published))
      }
      return { types, diagnostics: [] }
    },
    *before() {
      const pairs: Record<string, readonly (readonly [id: number, root: number])[]> = {}
      for (const type of former.model.contentTypes.values())
        if (type.localized) pairs[type.uid] = [...(yield* readGroups(former.storage, type))]
      return pairs
    },
    *after(pairs) {
      const published: { readonly type: ContentType; readonly draft: number; readonly id: number }[] = []
      for (const type of all) {
        const rows = yield* run(next.storage.statements.everyDocument(type), [])
        const roots = new Map((pairs[type.uid] ?? []).map(([id = 0, root = id]) => [id, root]))
        yield* giveDocumentIds(next.storage, type, rows, roots)
        if (type.document?.stamp !== undefined) yield* run(next.storage.statements.stampAll(type), [])
        for (const [id, , publishedAt] of hasVersions(type) ? rows : []) {
          if (publishedAt === null) continue
          const draft = Number(id)
          published.push({ type, draft, id: yield* addPublished(next.storage, type, draft) })
        }
      }
      // All published rows must exist before links between them are made.
      for (const { type, draft, id } of published)
        yield* copyVersion(next.storage, type, draft, id, 'published', KEPT)
      for (const { type, draft, id } of published) yield* linkPublished(next.storage, type, draft, id)
      for (const type of all) {
        if (hasVersions(type)) continue
        for (const [id] of yield* run(next.storage.statements.everyId(type), []))
          yield* readLinkVersions(next.storage, type, Number(id))
      }
    },
  }
}

function* giveDocumentIds(
  { statements }: Storage,
  type: ContentType,
  rows: readonly SqlRow[],
  roots: ReadonlyMap<number, number>,
): Work<void> {
  const { document } = type
  if (document === undefined) return
  const getRoot = (id: number): number => roots.get(id) ?? id
  const known = new Map<number, string>()
  const taken = new Set<string>()
  for (const [id, documentId] of rows) {
    const root = getRoot(Number(id))
    if (documentId === null || documentId === undefined || known.has(root)) continue
    // Two entries of one former document may no longer be localizations of each other.
    if (taken.has(String(documentId))) continue
    known.set(root, String(documentId))
    taken.add(String(documentId))
  }
  for (const [id, documentId] of rows) {
    const root = getRoot(Number(id))
    let own = known.get(root)
    if (own === undefined) {
      own = deriveDocumentId(type.uid, root)
      while (taken.has(own)) own = createDocumentId()
      known.set(root, own)
      taken.add(own)
    }
    if (documentId !== own) yield* run(statements.updateRow(type, [document.documentId]), [own, Number(id)])
  }
}

/** Inserts the published row with system columns only. */
function* addPublished({ statements }: Storage, type: ContentType, draft: number): Work<number> {
  const { document, createdAt, updatedAt, publishedAt, locale } = type
  const [row] = yield* run(statements.insertRow(type, []), [])
  const id = Number(row?.[0])
  const system = [document?.documentId, createdAt, updatedAt, publishedAt, locale]
  yield* run(
    statements.copyColumns(
      type,
      system.filter((one) => one !== undefined),
    ),
    [draft, id],
  )
  if (publishedAt !== undefined) yield* run(statements.updateRow(type, [publishedAt]), [null, draft])
  return id
}

function movedType(type: ContentType, count: number, published: number): MovedType {
  const become = count === 1 ? 'becomes a version of a document' : 'become versions of documents'
  const versions = hasVersions(type)
    ? `, ${published} with a published version beside ${published === 1 ? 'it' : 'them'}`
    : ''
  return {
    table: type.collectionName,
    text: `${some(count, 'entry', 'entries')} of ${type.uid} ${become}${versions}`,
    rows: count,
    lost: 0,
  }
}
