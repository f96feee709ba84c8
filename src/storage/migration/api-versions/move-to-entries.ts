// Moves content from `strapi-5` to `strapi-4`: the published version replaces its draft under the draft's id,
// and locales become localizations.

import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { copyVersion } from '../../../write/documents/copy-version.ts'
import { deleteEntry } from '../../../write/writes/write-entries.ts'
import type { ApiVersionMove, MovedType } from '../../check-api-version.ts'
import { run, type Work } from '../../database.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { createDraftStatements } from '../../sql/migrations/draft-statements.ts'
import type { SqlRow } from '../../sql/statement.ts'
import { mergeVersions } from '../entries/planned-entries.ts'
import { writeGroups } from './localizations.ts'
import { some, type TwoApiVersions } from './two-api-versions.ts'

/** `drops`: whether unpublished changes of drafts may be lost. */
export function moveToEntries(
  { former, next }: TwoApiVersions,
  dialect: Dialect,
  drops: boolean,
): ApiVersionMove {
  const { storage } = former
  const all = [...former.model.contentTypes.values()].filter(({ document }) => document !== undefined)
  const { countEntries, countVersions } = createDraftStatements(dialect)

  /** Overwrites changed drafts with their published version. */
  function* discardChanges(type: ContentType, pairs: readonly SqlRow[]): Work<void> {
    for (const [draft, published] of pairs.filter(([, , changed]) => Number(changed) === 1)) {
      const rows = [Number(published), Number(draft)] as const
      yield* copyVersion(storage, type, ...rows, 'draft', { keepsPlaces: true })
      yield* run(storage.statements.copyColumns(type, [type.updatedAt]), rows)
    }
  }

  function* joinVersions(
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
    *plan(tables) {
      const types: MovedType[] = []
      const diagnostics: Diagnostic[] = []
      for (const type of all) {
        const [row] = yield* run(countEntries(type, tables.from), [])
        const [versions] = hasVersions(type) ? yield* run(countVersions(type, tables.from), []) : []
        const [, pairs = 0, lost = 0] = versions?.map(Number) ?? []
        const count = Number(row?.[0] ?? 0) - pairs
        if (lost > 0 && !drops) diagnostics.push(unpublished(type, lost))
        if (count > 0) types.push(movedType(type, count, pairs, lost))
      }
      for (const type of all) if (hasVersions(type)) mergeVersions(tables, former.layout, type)
      return { types, diagnostics }
    },
    *before() {
      const versions = new Map<ContentType, readonly SqlRow[]>()
      for (const type of all) {
        if (!hasVersions(type)) continue
        const pairs = yield* run(storage.statements.versionPairs(type), [])
        versions.set(type, pairs)
        yield* discardChanges(type, pairs)
      }
      // Published rows are deleted last, because copying reads them and their links.
      for (const [type, pairs] of versions)
        if (type.publishedAt !== undefined) yield* joinVersions(type, type.publishedAt, pairs)
      const groups: Record<string, readonly (readonly number[])[]> = {}
      for (const type of all) {
        if (!type.localized) continue
        const rows = yield* run(storage.statements.everyDocument(type), [])
        const byDocument = groupBy(rows, ([, documentId]) => String(documentId))
        groups[type.uid] = Array.from(byDocument.values(), (group) => group.map(([id]) => Number(id)))
      }
      return groups
    },
    *after(groups) {
      for (const [uid, of] of Object.entries(groups)) {
        const type = next.model.contentTypes.get(uid)
        if (type !== undefined) yield* writeGroups(next.storage, type, of)
      }
    },
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
