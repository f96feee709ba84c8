// Makes those of the server's own tables that do not exist yet.

import { listTables } from './check-drift.ts'
import { type Database, run, runEach } from './database.ts'
import type { Table } from './sql/layout.ts'
import { createDdl } from './sql/migrations/ddl.ts'
import type { Statement } from './sql/statement.ts'

export async function makeTables(database: Database, tables: Iterable<Table>): Promise<void> {
  const { dialect } = database
  const ddl = createDdl(dialect)
  const create = (table: Table, name: string): readonly Statement[] => [
    ddl.createTable({ ...table, name }),
    ...table.indexes.flatMap((index) => ddl.createIndex({ ...table, name }, index)),
  ]
  if (dialect.undoesDefinitions) {
    await database.transaction(
      function* () {
        const there = yield* listTables(dialect)
        for (const table of tables) if (!there.has(table.name)) yield* runEach(create(table, table.name))
      },
      { patient: true },
    )
    return
  }
  const there = await database.transaction(() => listTables(dialect))
  for (const table of tables) {
    if (there.has(table.name)) continue
    // A table gets its name last, so that one which is there is whole.
    const begun = `${table.name}_new`
    const statements = [
      ...(there.has(begun) ? ddl.dropTable({ ...table, name: begun }) : []),
      ...create(table, begun),
      ddl.renameTable(begun, table.name),
    ]
    for (const one of statements) await database.transaction(() => run(one, []), { patient: true })
  }
}
