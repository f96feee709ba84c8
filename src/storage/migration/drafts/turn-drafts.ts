// Handles existing entries when the file turns drafts on or off. Entries are published or deleted only if the
// file says so.

import type { Config } from '../../../config/config.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import { deleteEntry } from '../../../write/writes/write-entries.ts'
import type { MovedType } from '../../check-api-version.ts'
import { run, type Work } from '../../database.ts'
import type { DraftsTurn } from '../../make-steps.ts'
import type { Dialect } from '../../sql/dialect.ts'
import {
  createDraftStatements,
  drafts,
  draftsBesidePublished,
} from '../../sql/migrations/draft-statements.ts'
import type { PlannedTables } from '../../sql/migrations/planned-tables.ts'
import type { StoredLayout, StoredTable } from '../../sql/migrations/stored-layout.ts'
import { some, type VersionedContent } from '../api-versions/two-api-versions.ts'
import { leaveOut } from '../entries/planned-entries.ts'
import { addDrafts, type DraftTables } from './add-drafts.ts'
import { type Fate, removeDrafts } from './remove-drafts.ts'

export function turnDrafts(
  config: Config,
  model: Model,
  createContent: () => VersionedContent,
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
  const { layout, storage } = createContent()
  const tables: DraftTables = { model, layout, storage, statements: createDraftStatements(dialect) }
  const saysFate = (type: ContentType): Fate | undefined => config.contentTypes[type.uid]?.options.draftsOff
  const fates = new Map(Array.from(off, (type) => [type, saysFate(type) ?? 'delete'] as const))

  return {
    choices: JSON.stringify(Array.from(fates, ([{ uid }, fate]) => [uid, fate])),
    *plan(planned) {
      const types: MovedType[] = []
      const diagnostics: Diagnostic[] = []
      for (const [type, fate] of fates) {
        const found = yield* countConcerned(tables, planned, type)
        if (found.alone + found.changed === 0) continue
        if (saysFate(type) === undefined) diagnostics.push(unsaid(type, found))
        else types.push(turnedOff(type, found, fate))
      }
      if (diagnostics.length > 0) return { types, diagnostics }
      for (const [type, fate] of fates) planRemoval(tables, planned, type, fate)
      for (const type of model.apiVersion.documents ? on : []) {
        const [row] = yield* run(tables.statements.countWithoutDraft(type, planned.from), [])
        const made = Number(row?.[0] ?? 0)
        if (made > 0) types.push(turnedOn(type, made))
      }
      return { types, diagnostics }
    },
    *make() {
      if (model.apiVersion.documents) {
        yield* removeDrafts(tables, fates)
        yield* addDrafts(tables, on)
        return
      }
      for (const [type, fate] of fates) {
        if (fate === 'delete')
          for (const [id] of yield* run(tables.statements.unpublished(type), []))
            yield* deleteEntry(storage, type, Number(id))
        yield* run(tables.statements.publishAll(type, 'created_at'), [])
      }
      for (const type of on) yield* run(tables.statements.publishAll(type, 'created_at'), [])
    },
  }
}

/** Rows that are published stay as they are, because nothing compares the moments of publication. */
function planRemoval(
  { model, layout }: DraftTables,
  planned: PlannedTables,
  type: ContentType,
  fate: Fate,
): void {
  if (fate === 'delete') leaveOut(planned, layout, type, drafts(type, planned.from))
  else if (model.apiVersion.documents)
    leaveOut(planned, layout, type, draftsBesidePublished(type, planned.from))
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

function* countConcerned(
  { model, statements }: DraftTables,
  { from }: PlannedTables,
  type: ContentType,
): Work<DraftTurn> {
  if (!model.apiVersion.documents) {
    const [row] = yield* run(statements.countUnpublished(type, from), [])
    return { alone: Number(row?.[0] ?? 0), changed: 0 }
  }
  const [row] = yield* run(statements.countVersions(type, from), [])
  const [all = 0, pairs = 0, changed = 0] = row?.map(Number) ?? []
  return { alone: all - pairs, changed }
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
