// Makes those of the server's own tables that do not exist yet.

import { listTables } from './check-drift.ts'
import { type Database, run, runEach } from './database.ts'
import type { Table } from './sql/layout.ts'
import { createDdl } from './sql/migrations/ddl.ts'

export async function makeTables(database: Database, tables: Iterable<Table>): Promise<void> {
  const ddl = createDdl(database.dialect)
  await database.transaction(
    function* () {
      const there = yield* listTables(database.dialect)
      for (const table of tables) {
        if (there.has(table.name)) continue
        yield* run(ddl.createTable(table), [])
        for (const index of table.indexes) yield* runEach(ddl.createIndex(table.name, index))
      }
    },
    { patient: true },
  )
}
