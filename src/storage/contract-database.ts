// Drops tables and columns that a migration has hidden.

import { listTables } from './check-drift.ts'
import type { Database, Work } from './database.ts'
import { define, type MigrationStep } from './list-steps.ts'
import { makeTogether, type StepOptions, type StepPlan } from './make-steps.ts'
import { loadOneByOne } from './migrate.ts'
import { readStored } from './read-stored-layout.ts'
import type { Dialect } from './sql/dialect.ts'
import { createDdl } from './sql/migrations/ddl.ts'
import { formatLayout, type StoredTable } from './sql/migrations/stored-layout.ts'

/** Must run after the last request of the old configuration. */
export async function contractDatabase(
  database: Database,
  options: Pick<StepOptions, 'destructive'>,
): Promise<readonly string[]> {
  if (options.destructive !== 'apply') return []
  const makeSteps = (await loadOneByOne(database))?.makeOneByOne ?? makeTogether
  const { result } = await makeSteps(database, options, () => planDrops(database.dialect))
  return result
}

function* planDrops(dialect: Dialect): Work<StepPlan<readonly string[]>> {
  const { layout, faults } = yield* readStored(dialect, yield* listTables(dialect))
  if (layout === undefined || faults.length > 0) return { result: [], steps: [] }
  const ddl = createDdl(dialect)
  const dropped: string[] = []
  const steps: MigrationStep[] = []
  const hidden = [...layout.tables.values()].filter((table) => table.hidden === true)
  const refers = (table: StoredTable) => table.columns.some(({ references }) => references)
  // Link tables first: dropping a table deletes its rows, and each deleted row would delete its links one by one.
  for (const table of [...hidden.filter(refers), ...hidden.filter((table) => !refers(table))]) {
    steps.push(...define(ddl.dropTable(table)))
    dropped.push(table.name)
  }
  const tables = new Map<string, StoredTable>()
  for (const table of layout.tables.values()) {
    if (table.hidden === true) continue
    for (const column of table.columns) {
      if (column.hidden !== true) continue
      steps.push(...define([ddl.dropColumn(table.name, column.name)]))
      dropped.push(`${table.name}.${column.name}`)
    }
    tables.set(table.name, { ...table, columns: table.columns.filter((column) => column.hidden !== true) })
  }
  if (dropped.length > 0) steps.push({ kind: 'layout', text: formatLayout({ tables }) })
  return { result: dropped, steps }
}
