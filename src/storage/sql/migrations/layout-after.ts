// Builds the layout after the changes: the configuration's tables plus hidden tables and columns of earlier
// configurations.

import type { Layout } from '../layout.ts'
import type { LayoutChange } from './diff-layout.ts'
import type { StoredColumn, StoredLayout, StoredTable } from './stored-layout.ts'

export function applyChanges(
  before: StoredLayout | undefined,
  after: Layout,
  changes: readonly LayoutChange[],
): StoredLayout {
  const tables = new Map<string, StoredTable>()
  const replaced = new Set<string>()
  const kept: StoredTable[] = []
  for (const change of changes) {
    if (change.kind !== 'replace-table') continue
    replaced.add(change.table.name)
    // A table in use is replaced only if it is empty, and is dropped then.
    if (change.effect === 'expand') kept.push({ ...change.before, name: change.aside, indexes: [] })
  }
  for (const table of after.tables.values()) {
    const old = replaced.has(table.name) ? undefined : before?.tables.get(table.name)
    tables.set(table.name, { ...table, columns: [...table.columns, ...leftBehind(old, table, changes)] })
  }
  for (const table of before?.tables.values() ?? []) {
    if (!after.tables.has(table.name)) tables.set(table.name, { ...table, hidden: true })
  }
  for (const table of kept) tables.set(table.name, table)
  return { tables }
}

function leftBehind(
  old: StoredTable | undefined,
  table: StoredTable,
  changes: readonly LayoutChange[],
): readonly StoredColumn[] {
  const columns: StoredColumn[] = []
  for (const column of old?.columns ?? []) {
    if (!table.columns.some(({ name }) => name === column.name)) columns.push({ ...column, hidden: true })
  }
  for (const change of changes) {
    if (change.kind !== 'set-column-aside' || change.table.name !== table.name) continue
    // The renamed layout already has the new name of a column that is set aside.
    if (columns.some(({ name }) => name === change.aside)) continue
    columns.push({ ...change.column, name: change.aside, hidden: true })
  }
  return columns
}
