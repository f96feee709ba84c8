// The tables of what the runtime remembers: made at a start on a database that has them not.

import { createDdl } from '../sql/ddl.ts'
import { runtimeTables } from '../sql/runtime-tables.ts'
import { listTables } from './check-drift.ts'
import { type Database, run } from './database.ts'

export async function makeRuntimeTables(database: Database): Promise<void> {
  const ddl = createDdl(database.dialect)
  await database.transaction(function* () {
    const there = yield* listTables(database.dialect)
    for (const table of runtimeTables) {
      if (there.has(table.name)) continue
      yield* run(ddl.createTable(table), [])
      for (const index of table.indexes) yield* run(ddl.createIndex(table.name, index), [])
    }
  }, true)
}
