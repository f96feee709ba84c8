// Finds which of the given ids a table has.

import { type Database, run } from './database.ts'
import { createArchiveStatements } from './sql/archive-statements.ts'

export async function findExistingIds(
  database: Database,
  table: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const { dialect } = database
  const statement = createArchiveStatements(dialect).existing(table)
  const rows = await database.read(() => run(statement, [dialect.encodeList('id', ids)]), { single: true })
  return new Set(rows.map(([id]) => Number(id)))
}
