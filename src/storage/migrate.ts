// Migrates the tables of a database to the layout of a configuration, in one transaction, or returns
// diagnostics and changes nothing.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { hasOwnPrefix } from '../model/naming.ts'
import {
  type ApiVersionMove,
  getOtherApiVersion,
  type MovedType,
  readApiVersion,
} from './check-api-version.ts'
import { createDriftFault, listForeignTables, listTables, type Tables } from './check-drift.ts'
import { clearEmpty } from './clear-empty.ts'
import { countHidden, type HiddenRows } from './count-hidden.ts'
import type { Database, Work } from './database.ts'
import { type ChangeOptions, createChangeContext, makeChange } from './make-change.ts'
import { readStored, writeStored } from './read-stored-layout.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout } from './sql/layout.ts'
import { diffLayout, type LayoutChange } from './sql/migrations/diff-layout.ts'
import { applyChanges } from './sql/migrations/layout-after.ts'
import { findLikelyRenames } from './sql/migrations/likely-renames.ts'
import { renameLayout } from './sql/migrations/rename-layout.ts'
import { formatLayout, type StoredLayout } from './sql/migrations/stored-layout.ts'

export interface MigrationOptions extends ChangeOptions {
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
  /** Called after the columns and before the indexes are created. Changes nothing if it returns an error. */
  make(): Work<{ readonly types: readonly MovedType[]; readonly diagnostics: readonly Diagnostic[] }>
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

/** Makes the changes in a transaction that is undone. */
export function planMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  return attempt(database, after, options, true)
}

/** Hides removed tables and columns until `contractDatabase` drops them. */
export function applyMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  return attempt(database, after, options, false)
}

class Undone extends Error {
  readonly migration: Migration

  constructor(migration: Migration) {
    super('the migration is undone')
    this.migration = migration
  }
}

async function attempt(
  database: Database,
  after: Layout,
  options: MigrationOptions,
  dry: boolean,
): Promise<Migration> {
  try {
    return await database.transaction(
      function* () {
        const migration = yield* migrate(database.dialect, after, options, dry)
        if (dry || !migration.ok) throw new Undone(migration)
        return migration
      },
      { patient: true },
    )
  } catch (error) {
    if (error instanceof Undone) return error.migration
    throw error
  }
}

function* migrate(dialect: Dialect, after: Layout, options: MigrationOptions, dry: boolean): Work<Migration> {
  let there = yield* listTables(dialect)
  const stored = yield* readStored(dialect, there)
  const foreign = listForeignTables(stored.layout, there)
  const usable = stored.faults.length === 0
  const { move, faults: unmovable } = usable
    ? yield* getMove(dialect, stored.layout, after, options)
    : { move: undefined, faults: [] }
  const target = move?.layout ?? after
  let found = usable ? renameLayout(stored.layout, target) : undefined
  if (stored.layout !== undefined && found !== undefined && found.stale.length > 0) {
    // An empty table or column may already have the new name.
    found = yield* clearEmpty(dialect, stored.layout, target)
    there = yield* listTables(dialect)
  }
  const firstChanges = found === undefined ? [] : [...found.changes, ...diffLayout(found.layout, target)]
  const faults = [
    ...stored.faults,
    ...foreignTable(firstChanges, there),
    ...reservedTable(after),
    ...unmovable,
  ]
  if (found === undefined || faults.length > 0) {
    return { ok: false, changes: [], rows: [], moved: [], diagnostics: faults, foreign, hidden: [] }
  }

  const context = createChangeContext(dialect, options)
  const diagnostics: Diagnostic[] = found.stale.map((rename) => context.report.notRenamed(rename))
  const changes: LayoutChange[] = []
  const rows: number[] = []
  const failed = (): boolean => diagnostics.some(({ severity }) => severity === 'error')
  function* make(list: readonly LayoutChange[]): Work<void> {
    for (const change of list) {
      const made = yield* makeChange(context, change)
      changes.push(change)
      rows.push(made.rows)
      if (made.diagnostic !== undefined) diagnostics.push(made.diagnostic)
    }
  }
  const turn = options.drafts?.(dialect, found.layout, move !== undefined)
  const turned: MovedType[] = []
  // Indexes are made after drafts are added or removed, because a draft has the unique values of its
  // published version.
  yield* make(turn === undefined ? firstChanges : firstChanges.filter((change) => !isCheck(change)))
  if (turn !== undefined && !failed()) {
    const { types, diagnostics: faults } = yield* turn.make()
    turned.push(...types)
    diagnostics.push(...faults)
    if (!failed()) yield* make(firstChanges.filter(isCheck))
  }
  let then = applyChanges(found.layout, target, firstChanges)
  if (move !== undefined && !failed()) {
    yield* move.before()
    const moreChanges = diffLayout(then, after)
    yield* make(moreChanges)
    then = applyChanges(then, after, moreChanges)
    if (!failed()) yield* move.after()
    diagnostics.push(...move.moved().diagnostics)
  }
  for (const rename of findLikelyRenames(changes)) {
    const count = rows[rename.hidden] ?? 0
    if (count > 0) diagnostics.push(context.report.likelyRename(rename, count))
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const moved = [...turned, ...(move?.moved().types ?? [])]
  const hidden = dry && errors.length === 0 ? yield* countHidden(dialect, then, changes) : []
  if (errors.length > 0) return { ok: false, changes, rows, moved, diagnostics: errors, foreign, hidden }
  const text = formatLayout(then)
  if (text !== stored.text) yield* writeStored(dialect, there, text)
  return { ok: true, changes, rows, moved, diagnostics, foreign, hidden }
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

function* foreignTable(changes: readonly LayoutChange[], there: Tables): Generator<Diagnostic> {
  for (const change of changes) {
    if ((change.kind === 'create-table' || change.kind === 'rename-table') && there.has(change.table.name)) {
      yield createDriftFault(`it has a table ${change.table.name} already`)
    }
  }
}

function* reservedTable(after: Layout): Generator<Diagnostic> {
  for (const name of [...after.tables.keys()].filter(hasOwnPrefix)) {
    yield {
      code: 'DBS012',
      severity: 'error',
      path: [],
      message: `the table name ${name} is reserved`,
      help: 'choose another collectionName',
    }
  }
}
