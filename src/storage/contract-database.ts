// Drops tables and columns that a migration has hidden.

import { listTables } from './check-drift.ts'
import { type Database, run, runEach, type Work } from './database.ts'
import type { MigrationOptions } from './migrate.ts'
import { readStored, writeStored } from './read-stored-layout.ts'
import type { Dialect } from './sql/dialect.ts'
import { createDdl } from './sql/migrations/ddl.ts'
import { formatLayout, type StoredLayout } from './sql/migrations/stored-layout.ts'

/** Must run after the last request of the old configuration. */
export async function contractDatabase(
  database: Database,
  options: Pick<MigrationOptions, 'destructive'>,
): Promise<readonly string[]> {
  if (options.destructive !== 'apply') return []
  return database.transaction(() => dropHidden(database.dialect), { patient: true })
}

function* dropHidden(dialect: Dialect): Work<readonly string[]> {
  const there = yield* listTables(dialect)
  const { layout, faults } = yield* readStored(dialect, there)
  if (layout === undefined || faults.length > 0) return []
  const ddl = createDdl(dialect)
  const dropped: string[] = []
  const hidden = [...layout.tables.values()].filter((table) => table.hidden === true)
  const refers = (table: (typeof hidden)[number]) => table.columns.some(({ references }) => references)
  // Link tables first: dropping a table deletes its rows, and each deleted row would delete its links one by one.
  for (const table of [...hidden.filter(refers), ...hidden.filter((table) => !refers(table))]) {
    yield* runEach(ddl.dropTable(table))
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
