// Gives a copied start another moment: what was written with the time of the start gets the time of the copy.

import type { Column, Layout } from '../sql/layout.ts'
import { migrationStatements } from '../sql/migrations/migration-statements.ts'
import { type Database, run } from './database.ts'

export interface MomentColumn {
  readonly table: string
  readonly column: Column
}

/** The columns that hold this moment somewhere. `moment`: epoch milliseconds. */
export async function columnsWith(
  database: Database,
  layout: Layout,
  moment: number,
): Promise<readonly MomentColumn[]> {
  const { dialect } = database
  const { countEqual } = migrationStatements(dialect)
  const value = dialect.encode('datetime', moment)
  return database.read(function* () {
    const found: MomentColumn[] = []
    for (const { name: table, columns } of layout.tables.values()) {
      for (const column of columns.filter(({ type }) => type === 'datetime')) {
        const [row] = yield* run(countEqual(table, column), [value])
        if (Number(row?.[0]) > 0) found.push({ table, column })
      }
    }
    return found
  })
}

/** `from` and `to`: epoch milliseconds. */
export async function moveMoments(
  database: Database,
  columns: readonly MomentColumn[],
  from: number,
  to: number,
): Promise<void> {
  const { dialect } = database
  const { replaceEqual } = migrationStatements(dialect)
  const values = [to, from].map((moment) => dialect.encode('datetime', moment))
  await database.transaction(function* () {
    for (const { table, column } of columns) yield* run(replaceEqual(table, column), values)
  })
}
