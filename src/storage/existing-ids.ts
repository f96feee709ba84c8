// Finds which of the given ids a table has.

import { type Database, run } from './database.ts'
import { archiveStatements } from './sql/archive-statements.ts'

export async function existingIds(
  database: Database,
  table: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const { dialect } = database
  const statement = archiveStatements(dialect).existing(table)
  const rows = await database.read(() => run(statement, [dialect.encodeList('id', ids)]), { single: true })
  return new Set(rows.map(([id]) => Number(id)))
}
