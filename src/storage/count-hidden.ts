// Counts the rows in tables and columns that earlier configurations left hidden.

import { run, type Work } from './database.ts'
import type { LayoutChange } from './sql/migrations/diff-layout.ts'
import type { MigrationStatements } from './sql/migrations/migration-statements.ts'
import type { StoredLayout } from './sql/migrations/stored-layout.ts'

export interface HiddenRows {
  readonly table: string
  readonly column: string | undefined
  readonly rows: number
}

export function* countHidden(
  statements: MigrationStatements,
  layout: StoredLayout,
  changes: readonly LayoutChange[],
): Work<readonly HiddenRows[]> {
  const now = new Set(
    changes.flatMap((change) => {
      if (change.kind === 'hide-table') return [change.table.name]
      return change.kind === 'hide-column' ? [`${change.table.name}.${change.column.name}`] : []
    }),
  )
  const hidden: HiddenRows[] = []
  for (const table of layout.tables.values()) {
    if (table.hidden === true) {
      if (now.has(table.name)) continue
      const [row] = yield* run(statements.countRows(table.name), [])
      hidden.push({ table: table.name, column: undefined, rows: Number(row?.[0] ?? 0) })
      continue
    }
    for (const column of table.columns) {
      if (column.hidden !== true || now.has(`${table.name}.${column.name}`)) continue
      const [row] = yield* run(statements.countValues(table.name, column.name), [])
      hidden.push({ table: table.name, column: column.name, rows: Number(row?.[0] ?? 0) })
    }
  }
  return hidden
}
