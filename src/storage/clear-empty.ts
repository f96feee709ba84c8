// Finds empty tables and columns that block a rename declared late, and drops them.

import { run, type Work } from './database.ts'
import { define, type MigrationStep } from './list-steps.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout } from './sql/layout.ts'
import { createDdl } from './sql/migrations/ddl.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import { type RenamedLayout, renameLayout, type StaleRename } from './sql/migrations/rename-layout.ts'
import type { StoredLayout, StoredTable } from './sql/migrations/stored-layout.ts'

interface EmptyPlaces {
  readonly found: RenamedLayout
  /** The layout without them. */
  readonly layout: StoredLayout
  readonly places: readonly StaleRename[]
}

export function* findEmptyPlaces(dialect: Dialect, layout: StoredLayout, after: Layout): Work<EmptyPlaces> {
  const seen = new Set<string>()
  let empty: readonly StaleRename[] = []
  for (;;) {
    const free = empty.filter(({ column, stored }) => column !== undefined || isFree(layout, empty, stored))
    const found = renameLayout(without(layout, free), after)
    // Keeps tables that no rename would replace, because their links lead elsewhere now.
    const used = free.filter((rename) => isMade(rename, found))
    if (used.length < empty.length) {
      empty = used
      continue
    }
    const more: StaleRename[] = []
    for (const rename of found.stale) {
      const key = JSON.stringify([rename.stored, rename.column?.name])
      if (seen.has(key)) continue
      seen.add(key)
      if (yield* isEmpty(dialect, rename)) more.push(rename)
    }
    if (more.length === 0) return { found, layout: without(layout, used), places: used }
    empty = [...used, ...more]
  }
}

function* isEmpty(dialect: Dialect, { stored, column }: StaleRename): Work<boolean> {
  const statements = createMigrationStatements(dialect)
  const count =
    column === undefined ? statements.countRows(stored) : statements.countValues(stored, column.name)
  const [row] = yield* run(count, [])
  return Number(row?.[0] ?? 0) === 0
}

function isFree(layout: StoredLayout, empty: readonly StaleRename[], name: string): boolean {
  const going = new Set(empty.flatMap(({ stored, column }) => (column === undefined ? [stored] : [])))
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
  for (const { stored, column } of gone) {
    const table = tables.get(stored)
    if (column === undefined) tables.delete(stored)
    else if (table !== undefined) tables.set(stored, withoutColumn(table, column.name))
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
export function listDrops(
  dialect: Dialect,
  layout: StoredLayout,
  gone: readonly StaleRename[],
): readonly MigrationStep[] {
  const ddl = createDdl(dialect)
  const tables = gone.flatMap(({ stored, column }) =>
    column === undefined ? (layout.tables.get(stored) ?? []) : [],
  )
  const isLink = ({ columns }: StoredTable): boolean => columns.some(({ references }) => references)
  const ordered = [...tables.filter(isLink), ...tables.filter((one) => !isLink(one))]
  const columns = gone.flatMap(({ stored, column }) => {
    if (column === undefined || tables.some(({ name }) => name === stored)) return []
    const table = layout.tables.get(stored)
    const own = table?.indexes.filter((index) => index.columns.includes(column.name)) ?? []
    return [
      ...own.flatMap((index) => (table === undefined ? [] : ddl.dropIndex(table, index))),
      ddl.dropColumn(stored, column.name),
    ]
  })
  return define([...ordered.flatMap(ddl.dropTable), ...columns])
}
