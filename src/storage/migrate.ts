// Migrates the tables of a database to the layout of a configuration: the plan reads only, and the migration makes it in
// one transaction, or returns diagnostics and changes nothing.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import {
  type ApiVersionMove,
  getOtherApiVersion,
  type MovedType,
  type PlannedMove,
  readApiVersion,
} from './check-api-version.ts'
import { createDriftFault, listForeignTables, listTables, type Tables } from './check-drift.ts'
import { dropEmptyPlaces, findEmptyPlaces } from './clear-empty.ts'
import { countChange, createCountContext } from './count-change.ts'
import { countHidden, type HiddenRows } from './count-hidden.ts'
import type { Database, Work } from './database.ts'
import { createChangeContext, makeChange } from './make-change.ts'
import type { ReportOptions } from './migration-report.ts'
import { readStored, writeStored } from './read-stored-layout.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout } from './sql/layout.ts'
import { applyChanges, diffLayout, type LayoutChange } from './sql/migrations/diff-layout.ts'

import { findLikelyRenames } from './sql/migrations/likely-renames.ts'
import { type NewValues, PlannedTables } from './sql/migrations/planned-tables.ts'
import { renameLayout, type StaleRename } from './sql/migrations/rename-layout.ts'
import { formatLayout, type StoredLayout } from './sql/migrations/stored-layout.ts'

export interface MigrationOptions extends ReportOptions, NewValues {
  readonly move?: ((dialect: Dialect) => ApiVersionMove) | string
  /**
   * Handles entries whose content-type got or lost drafts. `former`: their tables still have the other API
   * version's layout.
   */
  readonly drafts?: (
    dialect: Dialect,
    before: StoredLayout | undefined,
    former: boolean,
  ) => DraftsTurn | undefined
}

export interface DraftsTurn {
  /** Reads what `make` does, and says it to the tables unless a diagnostic is an error. */
  plan(tables: PlannedTables): Work<PlannedMove>
  /** Called after the columns and before the indexes are created. */
  make(): Work<void>
}

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

class Undone extends Error {
  readonly migration: Migration

  constructor(migration: Migration) {
    super('the migration is undone')
    this.migration = migration
  }
}

/** Hides removed tables and columns until `contractDatabase` drops them. */
export async function applyMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  const { dialect } = database
  try {
    return await database.transaction(
      function* () {
        const { migration, steps } = yield* plan(dialect, after, options, false)
        if (steps !== undefined) yield* make(dialect, options, migration, steps)
        return migration
      },
      { patient: true },
    )
  } catch (error) {
    if (error instanceof Undone) return error.migration
    throw error
  }
}

interface MigrationPlan {
  readonly migration: Migration
  /** Undefined if the migration is refused. */
  readonly steps: MigrationSteps | undefined
}

/** In their order. */
interface MigrationSteps {
  /** Empty tables and columns of this layout that make room for renamed ones. */
  readonly empty: { readonly layout: StoredLayout; readonly places: readonly StaleRename[] } | undefined
  readonly changes: readonly LayoutChange[]
  readonly turn: DraftsTurn | undefined
  readonly checks: readonly LayoutChange[]
  readonly move: ApiVersionMove | undefined
  readonly changesOfMove: readonly LayoutChange[]
  /** Undefined if it is stored already. */
  readonly layout: { readonly text: string; readonly there: Tables } | undefined
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
  let empty: MigrationSteps['empty']
  if (before !== undefined && found !== undefined && found.stale.length > 0) {
    const { layout, places, ...rest } = yield* findEmptyPlaces(dialect, before, target)
    empty = { layout: before, places }
    before = layout
    found = rest.found
  }
  const firstChanges = found === undefined ? [] : [...found.changes, ...diffLayout(found.layout, target)]
  const gone = new Set(empty?.places.flatMap(({ stored, column }) => (column === undefined ? [stored] : [])))
  const faults = [
    ...stored.faults,
    ...foreignTable(firstChanges, (table) => there.has(table) && !gone.has(table)),
    ...unmovable,
  ]
  if (found === undefined || faults.length > 0) {
    const refused = { ok: false, changes: [], rows: [], moved: [], diagnostics: faults, foreign, hidden: [] }
    return { migration: refused, steps: undefined }
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
  const turn = options.drafts?.(dialect, found.layout, move !== undefined)
  // Indexes are made after drafts are added or removed, because a draft has the unique values of its
  // published version.
  const checks = turn === undefined ? [] : firstChanges.filter(isCheck)
  const others = turn === undefined ? firstChanges : firstChanges.filter((change) => !isCheck(change))
  yield* count(others)
  if (turn !== undefined && !failed()) {
    yield* countMoved(turn)
    if (!failed()) yield* count(checks)
  }
  let then = applyChanges(found.layout, target, firstChanges)
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
    return { migration: refused, steps: undefined }
  }
  const hidden = countsHidden ? yield* countHidden(context.statements, then, changes) : []
  const text = formatLayout(then)
  return {
    migration: { ok: true, changes, rows, moved, diagnostics, foreign, hidden },
    steps: {
      ...{ empty, changes: others, turn, checks, move, changesOfMove },
      layout: text === stored.text ? undefined : { text, there },
    },
  }
}

function* make(
  dialect: Dialect,
  options: MigrationOptions,
  migration: Migration,
  { empty, changes, turn, checks, move, changesOfMove, layout }: MigrationSteps,
): Work<void> {
  const context = createChangeContext(dialect, options)
  if (empty !== undefined) yield* dropEmptyPlaces(dialect, empty.layout, empty.places)
  for (const change of changes) yield* makeChange(context, change)
  if (turn !== undefined) yield* turn.make()
  function* makeChecked(list: readonly LayoutChange[]): Work<void> {
    const made = createCountContext(dialect, new PlannedTables(dialect, undefined, {}), options)
    for (const change of list) {
      if (isCheck(change)) {
        // The plan knows the rows that stay, but not every link that moves with them.
        const { diagnostic } = yield* countChange(made, change)
        if (diagnostic !== undefined) throw new Undone({ ...migration, ok: false, diagnostics: [diagnostic] })
      }
      yield* makeChange(context, change)
    }
  }
  yield* makeChecked(checks)
  if (move !== undefined) {
    yield* move.before()
    yield* makeChecked(changesOfMove)
    yield* move.after()
  }
  if (layout !== undefined) yield* writeStored(dialect, layout.there, layout.text)
}

function isCheck({ kind }: LayoutChange): boolean {
  return kind === 'create-index' || kind === 'check-together'
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
