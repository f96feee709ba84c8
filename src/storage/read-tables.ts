// Reads the rows of a table in batches, by id.

import { listTables } from './check-drift.ts'
import { type DatabaseReader, OpenFailure, run } from './database.ts'
import { findInterruption } from './read-stored-layout.ts'
import { BATCH_ROWS, createArchiveStatements } from './sql/archive-statements.ts'
import { type ArchiveValue, toArchive } from './sql/archive-value.ts'
import type { Table } from './sql/layout.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import {
  layoutTable,
  parseLayout,
  type StoredLayout,
  type StoredTable,
} from './sql/migrations/stored-layout.ts'

export async function* readRows(
  database: DatabaseReader,
  table: Table,
): AsyncGenerator<readonly (readonly ArchiveValue[])[]> {
  const { dialect } = database
  const statement = createArchiveStatements(dialect).rowsBehind(table)
  const types = table.columns.map(({ type }) => type)
  const id = types.indexOf('id')
  let last = Number.MIN_SAFE_INTEGER
  for (let more = true; more; ) {
    const behind = dialect.encode('id', last)
    const rows = await database.read(() => run(statement, [behind]), { single: true })
    more = rows.length === BATCH_ROWS
    if (rows.length === 0) return
    last = Number(rows.at(-1)?.[id])
    yield rows.map((row) => types.map((type, index) => toArchive(type, row[index] ?? null)))
  }
}

/** Leaves out hidden tables and columns of earlier configurations. Throws OpenFailure if a migration was interrupted. */
export async function readShownLayout(database: DatabaseReader): Promise<StoredLayout | undefined> {
  const text = await database.read(function* () {
    const there = yield* listTables(database.dialect)
    const interruption = yield* findInterruption(database.dialect, there)
    if (interruption !== undefined) throw new OpenFailure([interruption])
    if (!there.has(layoutTable.name)) return undefined
    const [row] = yield* run(createMigrationStatements(database.dialect).readLayout(), [])
    return String(row?.[0])
  })
  const stored = text === undefined ? undefined : parseLayout(text)
  if (stored === undefined || stored.loading === true) return undefined
  const shown = [...stored.tables.values()].filter(({ hidden }) => hidden !== true).map(withoutHidden)
  return { tables: new Map(shown.map((table) => [table.name, table])) }
}

function withoutHidden(table: StoredTable): StoredTable {
  return { ...table, columns: table.columns.filter(({ hidden }) => hidden !== true) }
}
