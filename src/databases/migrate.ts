// The tables as they are and the layout of a configuration -> the tables as the configuration wants them, in one
// transaction, or diagnostics and nothing changed. Nothing is dropped before the old configuration is gone.

import type { Diagnostic } from '../errors/diagnostic.ts'
import { createDdl } from '../sql/ddl.ts'
import type { Dialect } from '../sql/dialect.ts'
import { diffLayout, type LayoutChange } from '../sql/diff-layout.ts'
import type { Layout } from '../sql/layout.ts'
import { layoutAfter } from '../sql/layout-after.ts'
import { migrationStatements } from '../sql/migration-statements.ts'
import { formatLayout, layoutTable, parseLayout, type StoredLayout } from '../sql/stored-layout.ts'
import { type Database, run, type Work } from './database.ts'
import { type ChangeOptions, makeChange, startMaking } from './make-change.ts'

export type MigrationOptions = ChangeOptions

export interface Migration {
  /** False: some diagnostic is an error, and nothing was changed. */
  readonly ok: boolean
  readonly changes: readonly LayoutChange[]
  readonly diagnostics: readonly Diagnostic[]
}

/** What `applyMigration` would do, tried out in a transaction that is undone. */
export function planMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  return attempt(database, after, options, true)
}

/** Adds and converts what the layout wants; what it no longer names is hidden until `contractDatabase`. */
export function applyMigration(
  database: Database,
  after: Layout,
  options: MigrationOptions,
): Promise<Migration> {
  return attempt(database, after, options, false)
}

/** Drops what is hidden, where that is allowed: when no request of the old configuration runs any more. */
export async function contractDatabase(
  database: Database,
  options: Pick<MigrationOptions, 'destructive'>,
): Promise<readonly string[]> {
  if (options.destructive !== 'apply') return []
  const dropped = await database.transaction(() => dropHidden(database.dialect))
  return dropped
}

/** Thrown inside the transaction to undo it, and caught right outside. */
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
    return await database.transaction(function* () {
      const migration = yield* migrate(database.dialect, after, options)
      if (dry || !migration.ok) throw new Undone(migration)
      return migration
    })
  } catch (error) {
    if (error instanceof Undone) return error.migration
    throw error
  }
}

function* migrate(dialect: Dialect, after: Layout, options: MigrationOptions): Work<Migration> {
  const there = yield* listTables(dialect)
  const stored = yield* readStored(dialect, there)
  const changes = stored.fault === undefined ? diffLayout(stored.layout, after) : []
  const fault = stored.fault ?? foreignTable(changes, there) ?? reservedTable(after)
  if (fault !== undefined) return { ok: false, changes: [], diagnostics: [fault] }

  const making = startMaking(dialect, options)
  const diagnostics: Diagnostic[] = []
  for (const change of changes) {
    const diagnostic = yield* makeChange(making, change)
    if (diagnostic !== undefined) diagnostics.push(diagnostic)
  }
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  // What was done is undone then, and there is nothing to say about it.
  if (errors.length > 0) return { ok: false, changes, diagnostics: errors }
  const text = formatLayout(layoutAfter(stored.layout, after, changes))
  if (text !== stored.text) yield* writeStored(dialect, there, text)
  return { ok: true, changes, diagnostics }
}

/** Table -> column -> the database's type of it. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

function* listTables(dialect: Dialect): Work<Tables> {
  const tables = new Map<string, Map<string, string>>()
  const rows = yield* run(migrationStatements(dialect).listColumns(), [])
  for (const [table, column, type] of rows) {
    const name = String(table)
    const columns = tables.get(name) ?? new Map<string, string>()
    tables.set(name, columns.set(String(column), String(type)))
  }
  return tables
}

interface Stored {
  readonly layout: StoredLayout | undefined
  readonly text: string | undefined
  readonly fault: Diagnostic | undefined
}

function* readStored(dialect: Dialect, there: Tables): Work<Stored> {
  if (!there.has(layoutTable.name)) return { layout: undefined, text: undefined, fault: undefined }
  const [row] = yield* run(migrationStatements(dialect).readLayout(), [])
  const text = String(row?.[0])
  const layout = parseLayout(text)
  if (layout === undefined) {
    return { layout, text, fault: strange('its table cms_run_layout cannot be read') }
  }
  return { layout, text, fault: difference(dialect, layout, there) }
}

function* writeStored(dialect: Dialect, there: Tables, text: string): Work<void> {
  if (!there.has(layoutTable.name)) yield* run(createDdl(dialect).createTable(layoutTable), [])
  yield* run(migrationStatements(dialect).writeLayout(), [text])
}

/** Somebody else changed the tables: what is in them cannot be trusted to be what the stored layout says. */
function difference(dialect: Dialect, layout: StoredLayout, there: Tables): Diagnostic | undefined {
  for (const table of layout.tables.values()) {
    const columns = there.get(table.name)
    if (columns === undefined) return strange(`its table ${table.name} is missing`)
    for (const column of table.columns) {
      const type = columns.get(column.name)
      if (type === undefined) return strange(`its column ${table.name}.${column.name} is missing`)
      if (type !== dialect.columnTypes[column.type]) {
        return strange(`its column ${table.name}.${column.name} is ${type}, not ${column.type}`)
      }
    }
    if (columns.size !== table.columns.length) return strange(`its table ${table.name} has other columns`)
  }
  return undefined
}

function foreignTable(changes: readonly LayoutChange[], there: Tables): Diagnostic | undefined {
  for (const change of changes) {
    if (change.kind === 'create-table' && there.has(change.table.name)) {
      return strange(`it has a table ${change.table.name} already`)
    }
  }
  return undefined
}

function strange(what: string): Diagnostic {
  return {
    code: 'DBS009',
    severity: 'error',
    path: ['database'],
    message: `the database was not left like this by cms-run: ${what}`,
    help: 'use a database of its own for it, or put back a copy of before the change',
  }
}

function reservedTable(after: Layout): Diagnostic | undefined {
  if (!after.tables.has(layoutTable.name)) return undefined
  return {
    code: 'DBS012',
    severity: 'error',
    path: [],
    message: `the table name ${layoutTable.name} is reserved`,
    help: 'choose another collectionName',
  }
}

function* dropHidden(dialect: Dialect): Work<readonly string[]> {
  const there = yield* listTables(dialect)
  const { layout, fault } = yield* readStored(dialect, there)
  if (layout === undefined || fault !== undefined) return []
  const ddl = createDdl(dialect)
  const dropped: string[] = []
  const hidden = [...layout.tables.values()].filter((table) => table.hidden === true)
  const refers = (table: (typeof hidden)[number]) => table.columns.some(({ references }) => references)
  // Tables of links first: dropping a table deletes its rows, and these would take their links along one by one.
  for (const table of [...hidden.filter(refers), ...hidden.filter((table) => !refers(table))]) {
    yield* run(ddl.dropTable(table.name), [])
    dropped.push(table.name)
  }
  const tables = new Map<string, StoredLayout['tables'] extends ReadonlyMap<string, infer T> ? T : never>()
  for (const table of layout.tables.values()) {
    if (table.hidden === true) continue
    for (const column of table.columns) {
      if (column.hidden !== true) continue
      yield* run(ddl.dropColumn(table.name, column.name), [])
      dropped.push(`${table.name}.${column.name}`)
    }
    tables.set(table.name, { ...table, columns: table.columns.filter((column) => column.hidden !== true) })
  }
  if (dropped.length > 0) yield* writeStored(dialect, there, formatLayout({ tables }))
  return dropped
}
