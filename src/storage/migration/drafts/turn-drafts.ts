// Handles existing entries when the file turns drafts on or off. Entries are published or deleted only if the
// file says so.

import type { Config } from '../../../config/config.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { deleteEntry } from '../../../write/writes/write-entries.ts'
import type { MovedType } from '../../check-api-version.ts'
import { run, type Work } from '../../database.ts'
import type { DraftsTurn } from '../../migrate.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { createDraftStatements } from '../../sql/migrations/draft-statements.ts'
import type { StoredLayout, StoredTable } from '../../sql/migrations/stored-layout.ts'
import { some, type VersionedContent } from '../api-versions/two-api-versions.ts'
import { addDrafts, type DraftTables } from './add-drafts.ts'
import { type Fate, removeDrafts } from './remove-drafts.ts'

export function turnDrafts(
  config: Config,
  { model, layout, storage }: VersionedContent,
  dialect: Dialect,
  before: StoredLayout | undefined,
): DraftsTurn | undefined {
  const on = new Set<ContentType>()
  const off = new Set<ContentType>()
  for (const type of model.contentTypes.values()) {
    const table = before?.tables.get(type.collectionName)
    // A content-type that was removed from the file and added again still has its rows.
    if (table === undefined) continue
    const had = hadDrafts(table, model.apiVersion.documents)
    if (had !== type.draftAndPublish) (had ? off : on).add(type)
  }
  if (on.size + off.size === 0) return undefined
  const tables: DraftTables = { model, layout, storage, statements: createDraftStatements(dialect) }

  return {
    *make() {
      const types: MovedType[] = []
      const diagnostics: Diagnostic[] = []
      const fates = new Map<ContentType, Fate>()
      for (const type of off) {
        const found = yield* countConcerned(tables, type)
        const fate = config.contentTypes[type.uid]?.options.draftsOff
        if (found.alone + found.changed > 0 && fate === undefined) diagnostics.push(unsaid(type, found))
        fates.set(type, fate ?? 'delete')
        if (found.alone + found.changed > 0 && fate !== undefined) types.push(turnedOff(type, found, fate))
      }
      if (diagnostics.length > 0) return { types, diagnostics }
      if (model.apiVersion.documents) {
        yield* removeDrafts(tables, fates)
        for (const [type, made] of yield* addDrafts(tables, on))
          if (made > 0) types.push(turnedOn(type, made))
        return { types, diagnostics }
      }
      for (const [type, fate] of fates) {
        if (fate === 'delete')
          for (const [id] of yield* run(tables.statements.unpublished(type), []))
            yield* deleteEntry(storage, type, Number(id))
        yield* run(tables.statements.publishAll(type, 'created_at'), [])
      }
      for (const type of on) yield* run(tables.statements.publishAll(type, 'created_at'), [])
      return { types, diagnostics }
    },
  }
}

/**
 * Documents with drafts have an index of published rows; other entries have `published_at` only with drafts.
 */
function hadDrafts({ indexes, columns }: StoredTable, documents: boolean): boolean {
  if (documents) return indexes.some(({ published }) => published === true)
  return columns.some(({ name, hidden }) => name === 'published_at' && hidden !== true)
}

interface DraftTurn {
  readonly alone: number
  readonly changed: number
}

function* countConcerned({ model, storage, statements }: DraftTables, type: ContentType): Work<DraftTurn> {
  const [row] = yield* run(statements.countUnpublished(type), [])
  const count = Number(row?.[0] ?? 0)
  if (!model.apiVersion.documents || count === 0) return { alone: count, changed: 0 }
  const pairs = yield* run(storage.statements.versionPairs(type), [])
  return {
    alone: count - pairs.length,
    changed: pairs.filter(([, , changed]) => Number(changed) === 1).length,
  }
}

function unsaid(type: ContentType, { alone, changed }: DraftTurn): Diagnostic {
  const hidden = `${some(alone, 'entry is', 'entries are')} not published and would be seen by everybody who may read`
  const lost = `unpublished changes of ${some(changed, 'document')} would be lost`
  const what = [...(alone > 0 ? [hidden] : []), ...(changed > 0 ? [lost] : [])].join(', ')
  return {
    code: 'DBS037',
    severity: 'error',
    path: ['contentTypes', type.sourceKey ?? type.uid],
    message: `SECURITY-WIDENING: ${type.uid} has no drafts any more: ${what}`,
    help: 'say what becomes of them: "drafts: { off: delete }" or "drafts: { off: publish }", or keep "drafts: true"',
  }
}

function turnedOff(type: ContentType, { alone, changed }: DraftTurn, fate: Fate): MovedType {
  const become = fate === 'publish' ? 'published' : 'deleted'
  const dropped = changed > 0 ? `, unpublished changes of ${some(changed, 'document')} are dropped` : ''
  return {
    table: type.collectionName,
    text: `${some(alone, 'unpublished entry', 'unpublished entries')} of ${type.uid} ${alone === 1 ? 'is' : 'are'} ${become}: it has no drafts any more${dropped}`,
    rows: alone + changed,
    lost: changed + (fate === 'delete' ? alone : 0),
  }
}

function turnedOn(type: ContentType, made: number): MovedType {
  return {
    table: type.collectionName,
    text: `${some(made, 'published entry gets a draft', 'published entries get a draft')} beside ${made === 1 ? 'it' : 'them'} in ${type.uid}`,
    rows: made,
    lost: 0,
  }
}
