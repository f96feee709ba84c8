// Makes room for a rename that is declared late: what has the new name already, and holds nothing, is dropped, so that
// the old one can get the name with its values.

import { createDdl } from '../sql/ddl.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Layout } from '../sql/layout.ts'
import { migrationStatements } from '../sql/migration-statements.ts'
import { type RenamedLayout, renameLayout, type StaleRename } from '../sql/rename-layout.ts'
import type { StoredLayout, StoredTable } from '../sql/stored-layout.ts'
import { run, type Work } from './database.ts'

/** The renames of `after`, once the empty tables and columns in their way are dropped, in the migration's transaction. */
export function* clearEmpty(
  dialect: Dialect,
  layout: StoredLayout,
  after: Layout,
  stale: readonly StaleRename[],
): Work<RenamedLayout> {
  let empty: readonly StaleRename[] = []
  for (const rename of stale) {
    // The columns of a table that is renamed in the same edit stay as they are.
    if (isThere(layout, rename) && (yield* isEmpty(dialect, rename))) empty = [...empty, rename]
  }
  for (;;) {
    const free = empty.filter(
      ({ table, column }) => column !== undefined || isFree(layout, empty, table.name),
    )
    const found = renameLayout(without(layout, free), after)
    // What no rename would replace stays: tables whose links lead elsewhere now.
    const used = free.filter((rename) => isMade(rename, found))
    if (used.length === empty.length) {
      yield* drop(dialect, layout, used)
      return found
    }
    empty = used
  }
}

function isThere(layout: StoredLayout, { table, column }: StaleRename): boolean {
  const stored = layout.tables.get(table.name)
  return (
    stored !== undefined && (column === undefined || stored.columns.some(({ name }) => name === column.name))
  )
}

function* isEmpty(dialect: Dialect, { table, column }: StaleRename): Work<boolean> {
  const statements = migrationStatements(dialect)
  const count =
    column === undefined ? statements.countRows(table.name) : statements.countValues(table.name, column.name)
  const [row] = yield* run(count, [])
  return Number(row?.[0] ?? 0) === 0
}

/** Whether only tables that go as well refer to the table. */
function isFree(layout: StoredLayout, empty: readonly StaleRename[], name: string): boolean {
  const going = new Set(empty.flatMap(({ table, column }) => (column === undefined ? [table.name] : [])))
  return [...layout.tables.values()].every(
    (other) => going.has(other.name) || !other.columns.some(({ references }) => references === name),
  )
}

function isMade({ table, column }: StaleRename, { changes }: RenamedLayout): boolean {
  return changes.some((change) =>
    column === undefined
      ? change.kind === 'rename-table' && change.table.name === table.name
      : change.kind === 'rename-column' &&
        change.table.name === table.name &&
        change.column.name === column.name,
  )
}

function without(layout: StoredLayout, gone: readonly StaleRename[]): StoredLayout {
  const tables = new Map(layout.tables)
  for (const { table, column } of gone) {
    const stored = tables.get(table.name)
    if (column === undefined) tables.delete(table.name)
    else if (stored !== undefined) tables.set(table.name, withoutColumn(stored, column.name))
  }
  return { ...layout, tables }
}

function withoutColumn(table: StoredTable, column: string): StoredTable {
  return {
    ...table,
    columns: table.columns.filter(({ name }) => name !== column),
    indexes: table.indexes.filter(({ columns }) => !columns.includes(column)),
  }
}

/** Link tables first: they refer to the others. */
function* drop(dialect: Dialect, layout: StoredLayout, gone: readonly StaleRename[]): Work<void> {
  const ddl = createDdl(dialect)
  const tables = gone.flatMap(({ table, column }) =>
    column === undefined ? (layout.tables.get(table.name) ?? []) : [],
  )
  const isLink = ({ columns }: StoredTable): boolean => columns.some(({ references }) => references)
  for (const { name } of [...tables.filter(isLink), ...tables.filter((table) => !isLink(table))]) {
    yield* run(ddl.dropTable(name), [])
  }
  for (const { table, column } of gone) {
    if (column === undefined || tables.some(({ name }) => name === table.name)) continue
    for (const index of layout.tables.get(table.name)?.indexes ?? []) {
      if (index.columns.includes(column.name)) yield* run(ddl.dropIndex(index.name), [])
    }
    yield* run(ddl.dropColumn(table.name, column.name), [])
  }
}
