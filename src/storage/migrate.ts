// Migrates the tables of a database to the layout of a configuration: the plan reads only, and the migration makes it as a
// whole, or returns diagnostics and changes nothing.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import {
  type ApiVersionMove,
  getOtherApiVersion,
  type MovedType,
  readApiVersion,
} from './check-api-version.ts'
import { createDriftFault, listForeignTables, listTables } from './check-drift.ts'
import { findEmptyPlaces, listDrops } from './clear-empty.ts'
import { countChange, createCountContext } from './count-change.ts'
import { countHidden, type HiddenRows } from './count-hidden.ts'
import type { Database, Work } from './database.ts'
import {
  createListContext,
  define,
  identifyFile,
  isOfSet,
  listSteps,
  type MigrationStep,
} from './list-steps.ts'
import { type DraftsTurn, makeTogether, type StepOptions } from './make-steps.ts'
import { readStored } from './read-stored-layout.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout } from './sql/layout.ts'
import { applyChanges, diffLayout, type LayoutChange } from './sql/migrations/diff-layout.ts'
import { findLikelyRenames } from './sql/migrations/likely-renames.ts'
import { type NewValues, PlannedTables } from './sql/migrations/planned-tables.ts'
import { renameLayout, type StaleRename } from './sql/migrations/rename-layout.ts'
import { formatLayout, layoutTable, type StoredLayout } from './sql/migrations/stored-layout.ts'

export interface MigrationOptions extends StepOptions, NewValues {}

export interface Migration {
  /** False if a diagnostic is an error; then the database is unchanged. */
  readonly ok: boolean
  readonly changes: readonly LayoutChange[]
  readonly rows: readonly number[]
  readonly moved: readonly MovedType[]
  readonly diagnostics: readonly Diagnostic[]
  readonly foreign: readonly string[]
  /** Hidden tables and columns of earlier configurations; only in the result of `planMigration`. */
  readonly hidden: readonly HiddenRows[]
}

/** Reads only. */
export async function planMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  const work = () => plan(database.dialect, after, options, true)
  // A read in memory is one turn of the event loop; `readOneState` would copy the content into another engine.
  if (database.copies !== undefined) return (await database.read(work)).migration
  return database.readOneState(async (reader) => (await reader.read(work)).migration)
}

/** Hides removed tables and columns until `contractDatabase` drops them. */
export async function applyMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  const apart = await loadOneByOne(database)
  const unfinished = await apart?.finishMigration(database, after, options)
  if (unfinished !== undefined) return refuse([unfinished], [])
  const makeSteps = apart?.makeOneByOne ?? makeTogether
  const { result, refused, isPartial } = await makeSteps(database, options, function* () {
    const { migration, listAll } = yield* plan(database.dialect, after, options, false)
    return { result: migration, steps: listAll() }
  })
  // The plan now says why.
  if (isPartial) return applyMigration(database, after, options)
  return refused === undefined ? result : { ...result, ok: false, diagnostics: [refused] }
}

/** Undefined where a transaction undoes definitions. */
export async function loadOneByOne({ dialect }: Database) {
  return dialect.undoesDefinitions ? undefined : await import('./make-one-by-one.ts')
}

function refuse(diagnostics: readonly Diagnostic[], foreign: readonly string[]): Migration {
  return { ok: false, changes: [], rows: [], moved: [], diagnostics, foreign, hidden: [] }
}

interface MigrationPlan {
  readonly migration: Migration
  /** The steps, none if the migration is refused. */
  readonly listAll: () => readonly MigrationStep[]
}

function* plan(
  dialect: Dialect,
  after: Layout,
  options: MigrationOptions,
  countsHidden: boolean,
): Work<MigrationPlan> {
  const there = yield* listTables(dialect)
  const stored = yield* readStored(dialect, there)
  const foreign = listForeignTables(stored.layout, there)
  const usable = stored.faults.length === 0
  const { move, faults: unmovable } = usable
    ? yield* getMove(dialect, stored.layout, after, options)
    : { move: undefined, faults: [] }
  const target = move?.layout ?? after
  let found = usable ? renameLayout(stored.layout, target) : undefined
  let before = stored.layout
  /** Empty tables and columns of `layout` that make room for renamed ones. */
  let empty: { readonly layout: StoredLayout; readonly places: readonly StaleRename[] } | undefined
  if (before !== undefined && found !== undefined && found.stale.length > 0) {
    const { layout, places, ...rest } = yield* findEmptyPlaces(dialect, before, target)
    empty = { layout: before, places }
    before = layout
    found = rest.found
  }
  const firstChanges = found === undefined ? [] : [...found.changes, ...diffLayout(found.layout, target)]
  const gone = new Set([
    ...(empty?.places ?? []).flatMap(({ stored, column }) => (column === undefined ? [stored] : [])),
    ...firstChanges.flatMap((change) => (change.kind === 'rename-table' ? [change.from] : [])),
  ])
  const faults = [
    ...stored.faults,
    ...foreignTable(firstChanges, (table) => there.has(table) && !gone.has(table)),
    ...unmovable,
  ]
  if (found === undefined || faults.length > 0) {
    return { migration: refuse(faults, foreign), listAll: () => [] }
  }

  const tables = new PlannedTables(dialect, before, options)
  const context = createCountContext(dialect, tables, options)
  const diagnostics: Diagnostic[] = found.stale.map((rename) => context.report.notRenamed(rename))
  const changes: LayoutChange[] = []
  const rows: number[] = []
  const moved: MovedType[] = []
  const failed = (): boolean => diagnostics.some(({ severity }) => severity === 'error')
  function* count(list: readonly LayoutChange[]): Work<void> {
    for (const change of list) {
      const counted = yield* countChange(context, change)
      tables.follow(change)
      changes.push(change)
      rows.push(counted.rows)
      if (counted.diagnostic !== undefined) diagnostics.push(counted.diagnostic)
    }
  }
  function* countMoved(one: DraftsTurn | ApiVersionMove): Work<void> {
    const { types, diagnostics: faults } = yield* one.plan(tables)
    moved.push(...types)
    diagnostics.push(...faults)
  }
  const renamed = found.layout
  const turn = options.drafts?.(dialect, renamed, move !== undefined)
  // Indexes are made after drafts are added or removed, because a draft has the unique values of its
  // published version.
  const checks = turn === undefined ? [] : firstChanges.filter(isOfSet)
  const others = turn === undefined ? firstChanges : firstChanges.filter((change) => !isOfSet(change))
  yield* count(others)
  if (turn !== undefined && !failed()) {
    yield* countMoved(turn)
    if (!failed()) yield* count(checks)
  }
  let then = applyChanges(renamed, target, firstChanges)
  const changesOfMove = move === undefined ? [] : diffLayout(then, after)
  if (move !== undefined && !failed()) {
    yield* countMoved(move)
    yield* count(changesOfMove)
    then = applyChanges(then, after, changesOfMove)
  }
  for (const rename of findLikelyRenames(changes)) {
    const count = rows[rename.hidden] ?? 0
    if (count > 0) diagnostics.push(context.report.likelyRename(rename, count))
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const refused = { ok: false, changes, rows, moved, diagnostics: errors, foreign, hidden: [] }
    return { migration: refused, listAll: () => [] }
  }
  const hidden = countsHidden ? yield* countHidden(context.statements, then, changes) : []
  const text = formatLayout(then)

  function listAll(): readonly MigrationStep[] {
    const listing = createListContext(dialect, options)
    const list = (some: readonly LayoutChange[]) => some.flatMap((change) => listSteps(listing, change))
    const listChecked = (some: readonly LayoutChange[]) =>
      some.flatMap((change): readonly MigrationStep[] => [
        ...(isOfSet(change) ? [{ kind: 'check', change } as const] : []),
        ...listSteps(listing, change),
      ])
    const steps: MigrationStep[] = []
    if (empty !== undefined) steps.push(...listDrops(dialect, empty.layout, empty.places))
    steps.push(...list(others))
    if (turn !== undefined && renamed !== undefined) {
      const file = identifyFile(after, turn.choices)
      steps.push({ kind: 'turn', before: formatLayout(renamed), former: move !== undefined, file })
    }
    steps.push(...listChecked(checks))
    if (move !== undefined) {
      const file = identifyFile(after)
      steps.push({ kind: 'move', part: 'before', file }, ...listChecked(changesOfMove))
      steps.push({ kind: 'move', part: 'after', file, groups: {} })
    }
    if (text === stored.text) return steps
    if (!there.has(layoutTable.name)) steps.push(...define([listing.ddl.createTable(layoutTable)]))
    return [...steps, { kind: 'layout', text }]
  }
  return { migration: { ok: true, changes, rows, moved, diagnostics, foreign, hidden }, listAll }
}

function* getMove(
  dialect: Dialect,
  stored: StoredLayout | undefined,
  after: Layout,
  { move }: MigrationOptions,
): Work<{ readonly move: ApiVersionMove | undefined; readonly faults: readonly Diagnostic[] }> {
  const state = yield* readApiVersion(dialect, renameLayout(stored, after), after)
  if (state === 'same') return { move: undefined, faults: [] }
  if (state === 'mixed')
    return { move: undefined, faults: [getOtherApiVersion(after, 'of some content-types')] }
  if (typeof move === 'function') return { move: move(dialect), faults: [] }
  return { move: undefined, faults: [getOtherApiVersion(after, move ?? 'it is not moved here')] }
}

function* foreignTable(
  changes: readonly LayoutChange[],
  isThere: (table: string) => boolean,
): Generator<Diagnostic> {
  for (const change of changes) {
    if ((change.kind === 'create-table' || change.kind === 'rename-table') && isThere(change.table.name)) {
      yield createDriftFault(`it has a table ${change.table.name} already`)
    }
  }
}
