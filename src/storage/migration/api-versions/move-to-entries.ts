// Moves content from `strapi-5` to `strapi-4`: the published version replaces its draft under the draft's id,
// and locales become localizations.

import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { copyVersion } from '../../../write/documents/copy-version.ts'
import { deleteEntry } from '../../../write/writes/write-entries.ts'
import type { ApiVersionMove, MovedType } from '../../check-api-version.ts'
import { run, type Work } from '../../database.ts'
import type { SqlRow } from '../../sql/statement.ts'
import { writeGroups } from './localizations.ts'
import { some, type TwoApiVersions } from './two-api-versions.ts'

/** `drops`: whether unpublished changes of drafts may be lost. */
export function moveToEntries({ former, next }: TwoApiVersions, drops: boolean): ApiVersionMove {
  const { storage } = former
  const groups = new Map<string, readonly (readonly number[])[]>()
  const types: MovedType[] = []
  const diagnostics: Diagnostic[] = []

  /** Returns how many drafts were overwritten with their published version. */
  function* discardChanges(type: ContentType, pairs: readonly SqlRow[]): Work<number> {
    const changed = pairs.filter(([, , changed]) => Number(changed) === 1)
    for (const [draft, published] of changed) {
      const rows = [Number(published), Number(draft)] as const
      yield* copyVersion(storage, type, ...rows, 'draft', { keepsPlaces: true })
      yield* run(storage.statements.copyColumns(type, [type.updatedAt]), rows)
    }
    return changed.length
  }

  function* mergeVersions(
    type: ContentType,
    publishedAt: ScalarAttribute,
    pairs: readonly SqlRow[],
  ): Work<void> {
    for (const [draft, published] of pairs) {
      const columns = storage.statements.copyColumns(type, [publishedAt])
      yield* run(columns, [Number(published), Number(draft)])
      yield* deleteEntry(storage, type, Number(published))
    }
  }

  return {
    layout: former.layout,
    *before() {
      const all = [...former.model.contentTypes.values()].filter(({ document }) => document !== undefined)
      const versions = new Map<ContentType, { readonly pairs: readonly SqlRow[]; readonly lost: number }>()
      for (const type of all) {
        if (!hasVersions(type)) continue
        const pairs = yield* run(storage.statements.versionPairs(type), [])
        versions.set(type, { pairs, lost: yield* discardChanges(type, pairs) })
      }
      // Published rows are deleted last, because copying reads them and their links.
      for (const [type, { pairs }] of versions)
        if (type.publishedAt !== undefined) yield* mergeVersions(type, type.publishedAt, pairs)
      for (const type of all) {
        const rows = yield* run(storage.statements.everyDocument(type), [])
        const { pairs, lost } = versions.get(type) ?? { pairs: [], lost: 0 }
        if (lost > 0 && !drops) diagnostics.push(unpublished(type, lost))
        if (rows.length > 0) types.push(movedType(type, rows.length, pairs.length, lost))
        if (!type.localized) continue
        const byDocument = new Map<string, number[]>()
        for (const [id, documentId] of rows) {
          const group = byDocument.get(String(documentId))
          if (group === undefined) byDocument.set(String(documentId), [Number(id)])
          else group.push(Number(id))
        }
        groups.set(type.uid, [...byDocument.values()])
      }
    },
    *after() {
      for (const [uid, of] of groups) {
        const type = next.model.contentTypes.get(uid)
        if (type !== undefined) yield* writeGroups(next.storage, type, of)
      }
    },
    moved: () => ({ types, diagnostics }),
  }
}

function unpublished(type: ContentType, lost: number): Diagnostic {
  const drafts = some(lost, 'draft')
  return {
    code: 'DBS036',
    severity: 'error',
    path: ['dialect'],
    message: `${drafts} of ${type.uid} ${lost === 1 ? 'differs' : 'differ'} from what is published: "dialect: strapi-4" keeps one version of an entry`,
    help: 'publish or discard the changes, or let them be dropped with "database: { migrations: { destructive: apply } }"',
  }
}

function movedType(type: ContentType, count: number, live: number, lost: number): MovedType {
  const entries = some(count, 'document', 'documents')
  const become = count === 1 ? 'becomes an entry' : 'become entries'
  const versions = hasVersions(type) ? `, ${live} of them as published` : ''
  const dropped = lost === 0 ? '' : `; unpublished changes of ${lost} are dropped`
  return {
    table: type.collectionName,
    text: `${entries} of ${type.uid} ${become}${versions}${dropped}`,
    rows: count,
    lost,
  }
}
