// Compares two layouts and lists the changes from the first to the second, and builds the layout after them. Whether the
// stored rows allow a change is checked later.

import type { Column, Index, Layout, Table, Together } from '../layout.ts'
import { buildConverter } from './convert-value.ts'
import { findFreeName, isSetAside, type RenameChange, type SetColumnAside } from './rename-layout.ts'
import type { StoredColumn, StoredLayout, StoredTable } from './stored-layout.ts'

/**
 * `expand` only adds: requests of the old configuration stay valid. `convert` depends on the rows. `contract`
 * hides something, which may be dropped later. `refused` is possible only for an empty column.
 */
export type LayoutChange =
  | RenameChange
  | { readonly kind: 'create-table'; readonly effect: 'expand'; readonly table: Table }
  /** Shows a hidden table again, with its rows. */
  | { readonly kind: 'show-table'; readonly effect: 'expand'; readonly table: Table }
  | { readonly kind: 'hide-table'; readonly effect: 'contract'; readonly table: Table }
  /** The table's references lead to another table: replaces it by a new table if the old one is empty or hidden. */
  | {
      readonly kind: 'replace-table'
      readonly effect: 'expand' | 'refused'
      readonly table: Table
      readonly before: StoredTable
      readonly aside: string
    }
  | { readonly kind: 'add-column'; readonly effect: 'expand'; readonly table: Table; readonly column: Column }
  /** Shows a hidden column again, with its values. */
  | {
      readonly kind: 'show-column'
      readonly effect: 'expand'
      readonly table: Table
      readonly column: Column
    }
  | {
      readonly kind: 'hide-column'
      readonly effect: 'contract'
      readonly table: Table
      readonly column: Column
    }
  | SetColumnAside
  | {
      readonly kind: 'convert-column'
      readonly effect: 'convert' | 'refused'
      readonly table: Table
      readonly before: Column
      readonly column: Column
      readonly temporary: string
    }
  | { readonly kind: 'drop-index'; readonly effect: 'expand'; readonly table: Table; readonly index: Index }
  /** Refused if rows have in common what no two may have together. */
  | {
      readonly kind: 'check-together'
      readonly effect: 'expand'
      readonly table: Table
      readonly together: Together
    }
  | { readonly kind: 'create-index'; readonly effect: 'expand'; readonly table: Table; readonly index: Index }

export function diffLayout(before: StoredLayout | undefined, after: Layout): readonly LayoutChange[] {
  const stored = before?.tables ?? new Map<string, StoredTable>()
  const names = new Set([...stored.keys(), ...after.tables.keys()])
  const changes: LayoutChange[] = []
  dropTakenIndexes(changes, stored, after)
  for (const table of after.tables.values()) {
    const old = stored.get(table.name)
    if (old === undefined) createTable(changes, table)
    else if (pointsElsewhere(old, table)) replaceTable(changes, old, table, names)
    else changeTable(changes, old, table)
  }
  for (const table of after.tables.values()) checkTogether(changes, stored.get(table.name), table)
  // Children first, because tables are dropped in this order.
  for (const table of [...stored.values()].reverse()) {
    if (!after.tables.has(table.name) && table.hidden !== true) {
      changes.push({ kind: 'hide-table', effect: 'contract', table })
    }
  }
  return changes
}

/** A table that was set aside has indexes with the names that its successor needs. */
function dropTakenIndexes(
  changes: LayoutChange[],
  stored: ReadonlyMap<string, StoredTable>,
  after: Layout,
): void {
  const needed = new Set([...after.tables.values()].flatMap(({ indexes }) => indexes.map(({ name }) => name)))
  for (const table of stored.values()) {
    if (after.tables.has(table.name)) continue
    for (const index of table.indexes) {
      if (needed.has(index.name)) changes.push({ kind: 'drop-index', effect: 'expand', table, index })
    }
  }
}

function createTable(changes: LayoutChange[], table: Table): void {
  changes.push({ kind: 'create-table', effect: 'expand', table })
  for (const index of table.indexes) changes.push({ kind: 'create-index', effect: 'expand', table, index })
}

/** A table without an old one has no rows to check. */
function checkTogether(changes: LayoutChange[], old: StoredTable | undefined, table: Table): void {
  if (old === undefined) return
  for (const together of table.together ?? []) {
    const known = old.together?.some((other) => JSON.stringify(other) === JSON.stringify(together))
    if (known !== true || old.hidden === true)
      changes.push({ kind: 'check-together', effect: 'expand', table, together })
  }
}

function pointsElsewhere(old: StoredTable, table: Table): boolean {
  return table.columns.some((column) => {
    const same = old.columns.find(({ name }) => name === column.name)
    return same !== undefined && same.references !== column.references
  })
}

function replaceTable(changes: LayoutChange[], before: StoredTable, table: Table, names: Set<string>): void {
  const aside = findFreeName(table.name, names)
  names.add(aside)
  for (const index of before.indexes) {
    changes.push({ kind: 'drop-index', effect: 'expand', table: before, index })
  }
  const effect = before.hidden === true ? 'expand' : 'refused'
  changes.push({ kind: 'replace-table', effect, table, before, aside })
  for (const index of table.indexes) changes.push({ kind: 'create-index', effect: 'expand', table, index })
}

function changeTable(changes: LayoutChange[], old: StoredTable, table: Table): void {
  if (old.hidden === true) changes.push({ kind: 'show-table', effect: 'expand', table })
  /** Their indexes would follow the column before. */
  const replaced = new Set<string>()
  const columns: LayoutChange[] = []
  const names = new Set([...old.columns, ...table.columns].map(({ name }) => name))
  for (const column of table.columns) {
    const before = old.columns.find(({ name }) => name === column.name)
    const change = changeColumn(table, old, before, column, names)
    if (change !== undefined) columns.push(change)
    if (change?.kind === 'convert-column') replaced.add(column.name)
    if (change?.kind === 'set-column-aside') {
      replaced.add(column.name)
      columns.push({ kind: 'add-column', effect: 'expand', table, column })
    }
  }
  for (const column of old.columns) {
    if (column.hidden === true || table.columns.some(({ name }) => name === column.name)) continue
    columns.push({ kind: 'hide-column', effect: 'contract', table, column })
  }
  const stays = (index: Index) =>
    table.indexes.some((other) => sameIndex(index, other)) &&
    !index.columns.some((column) => replaced.has(column))
  for (const index of old.indexes) {
    if (!stays(index)) changes.push({ kind: 'drop-index', effect: 'expand', table: old, index })
  }
  changes.push(...columns)
  for (const index of table.indexes) {
    if (old.indexes.some((other) => sameIndex(index, other) && stays(other))) continue
    changes.push({ kind: 'create-index', effect: 'expand', table, index })
  }
}

function changeColumn(
  table: Table,
  old: StoredTable,
  before: StoredColumn | undefined,
  column: Column,
  names: Set<string>,
): LayoutChange | undefined {
  if (before === undefined) return { kind: 'add-column', effect: 'expand', table, column }
  if (before.type === column.type) {
    return before.hidden === true ? { kind: 'show-column', effect: 'expand', table, column } : undefined
  }
  const other = findFreeName(column.name, names)
  names.add(other)
  if (isSetAside(old, before, column))
    return { kind: 'set-column-aside', effect: 'expand', table, column: before, aside: other }
  const effect = buildConverter(before.type, column.type) === undefined ? 'refused' : 'convert'
  return { kind: 'convert-column', effect, table, before, column, temporary: other }
}

function sameIndex(a: Index, b: Index): boolean {
  return (
    a.name === b.name &&
    a.unique === b.unique &&
    a.text === b.text &&
    a.published === b.published &&
    a.filled === b.filled &&
    JSON.stringify(a.json) === JSON.stringify(b.json) &&
    a.columns.join() === b.columns.join()
  )
}

/** The configuration's tables, and hidden tables and columns of earlier configurations. */
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
    if (after.tables.has(table.name)) continue
    const indexes = table.indexes.filter((index) => !isDropped(changes, table, index))
    tables.set(table.name, { ...table, hidden: true, indexes })
  }
  for (const table of kept) tables.set(table.name, table)
  return { tables }
}

function isDropped(changes: readonly LayoutChange[], table: StoredTable, { name }: Index): boolean {
  return changes.some(
    (change) =>
      change.kind === 'drop-index' && change.table.name === table.name && change.index.name === name,
  )
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
