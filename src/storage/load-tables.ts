// Loads tables and their rows into a database. The stored layout is marked as loading meanwhile, so that
// servers refuse to start.

import type { PlanValue } from '../plan/read-plan.ts'
import { listTables } from './check-drift.ts'
import { type Database, run, runAll, runEach, type Work } from './database.ts'
import { findInterruption } from './read-stored-layout.ts'
import { createArchiveStatements } from './sql/archive-statements.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout, Table } from './sql/layout.ts'
import { createDdl } from './sql/migrations/ddl.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import { formatLayout, layoutTable, parseLayout, type StoredLayout } from './sql/migrations/stored-layout.ts'

/** Thrown before any change to the database. */
export class LoadRefusal extends Error {
  override name = 'LoadRefusal'
  /** Whether the database has content that may be replaced. */
  readonly full: boolean

  constructor(message: string, full: boolean) {
    super(message)
    this.full = full
  }
}

export interface LoadContext {
  /** Stores all of the rows or none. A row has a value for each column, in the table's order. */
  load(table: Table, rows: readonly (readonly PlanValue[])[]): Promise<void>
  /** The first row of each group stays. */
  dropDuplicates(table: Table): Promise<void>
  finish(): Promise<void>
}

/** Throws LoadRefusal when the database has rows, unless they are to be replaced. */
export async function startLoading(
  database: Database,
  layout: Layout,
  replace: boolean,
): Promise<LoadContext> {
  const { dialect } = database
  const ddl = createDdl(dialect)
  const statements = createArchiveStatements(dialect)
  const tables = [...layout.tables.values()]
  await database.transaction(function* () {
    yield* makeRoom(dialect, layout, replace)
    for (const table of tables) yield* run(ddl.createTable(table), [])
    yield* run(createMigrationStatements(dialect).writeLayout(), [
      formatLayout({ tables: layout.tables, loading: true }),
    ])
  })
  return {
    async load(table, rows) {
      const insert = statements.insertRow(table)
      const last = statements.insertLastRow(table)
      const types = table.columns.map(({ type }) => type)
      const steps = rows.map((row, index) => ({
        statement: index === rows.length - 1 ? last : insert,
        values: types.map((type, at) => dialect.encode(type, row[at] ?? null)),
      }))
      await database.transaction(() => runAll(steps))
    },
    async dropDuplicates({ name, indexes }) {
      const unique = indexes.filter((index) => index.unique)
      if (unique.length === 0) return
      await database.transaction(function* () {
        for (const { columns } of unique) yield* run(statements.dropDuplicates(name, columns), [])
      })
    },
    async finish() {
      await database.transaction(function* () {
        for (const table of tables) {
          for (const index of table.indexes) yield* runEach(ddl.createIndex(table, index))
        }
        yield* run(createMigrationStatements(dialect).writeLayout(), [
          formatLayout({ tables: layout.tables }),
        ])
        const analyze = ddl.analyze(layout.tables.keys())
        if (analyze !== undefined) yield* run(analyze, [])
      })
    },
  }
}

function* makeRoom(dialect: Dialect, layout: Layout, replace: boolean): Work<void> {
  const ddl = createDdl(dialect)
  const statements = createMigrationStatements(dialect)
  const there = yield* listTables(dialect)
  const interruption = yield* findInterruption(dialect, there)
  if (interruption !== undefined) throw new LoadRefusal(interruption.message, false)
  const stored = there.has(layoutTable.name) ? yield* storedLayout(dialect) : undefined
  const own = [...(stored?.tables.values() ?? [])].filter(({ name }) => there.has(name))
  if (!replace && stored?.loading !== true) {
    for (const { name } of own) {
      const [row] = yield* run(statements.countRows(name), [])
      const count = Number(row?.[0] ?? 0)
      if (count === 0) continue
      const rows = count === 1 ? '1 row' : `${count} rows`
      throw new LoadRefusal(`the database is not empty: its table ${name} has ${rows}`, true)
    }
  }
  const names = new Set(own.map(({ name }) => name))
  for (const { name } of layout.tables.values()) {
    if (there.has(name) && !names.has(name))
      throw new LoadRefusal(`the database has a table ${name} that is not of cms-run`, false)
  }
  if (!there.has(layoutTable.name)) yield* run(ddl.createTable(layoutTable), [])
  // First, because some databases commit each of the next statements by itself: another import finds all of their tables.
  const all = new Map([...(stored?.tables ?? []), ...layout.tables])
  yield* run(statements.writeLayout(), [formatLayout({ tables: all, loading: true })])
  const refers = ({ columns }: Table) => columns.some(({ references }) => references !== undefined)
  // Link tables first: dropping a table deletes its rows, and each deleted row would delete its links one by one.
  for (const table of [...own.filter(refers), ...own.filter((one) => !refers(one))]) {
    yield* runEach(ddl.dropTable(table))
  }
}

function* storedLayout(dialect: Dialect): Work<StoredLayout | undefined> {
  const [row] = yield* run(createMigrationStatements(dialect).readLayout(), [])
  if (row === undefined) return undefined
  const layout = parseLayout(String(row[0]))
  if (layout === undefined)
    throw new LoadRefusal('the table cms_run_layout of the database cannot be read', false)
  return layout
}
