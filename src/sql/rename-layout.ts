// Finds the stored tables and columns that the configuration says were renamed. Returns the renames, and the stored
// layout with the new names, which is compared as if it had always had them. A rename is never guessed.

import type { Column, Index, Layout, Table, TextRename } from './layout.ts'
import type { StoredColumn, StoredLayout, StoredTable } from './stored-layout.ts'

export type RenameChange =
  | { readonly kind: 'rename-table'; readonly effect: 'expand'; readonly table: Table; readonly from: string }
  | {
      readonly kind: 'rename-column'
      readonly effect: 'expand'
      readonly table: Table
      readonly column: Column
      readonly from: string
    }
  /** Updates rows that contain the renamed name as text. */
  | {
      readonly kind: 'rename-text'
      readonly effect: 'expand'
      readonly table: Table
      readonly text: TextRename
    }

/** A rename whose old and new name both exist: which values are the right ones cannot be known. */
export interface StaleRename {
  readonly table: Table
  readonly column: Column | undefined
  /** The table or column that stays as it was. */
  readonly from: string
}

export interface RenamedLayout {
  readonly layout: StoredLayout | undefined
  /** In the order in which they must be made, before all other changes. */
  readonly changes: readonly RenameChange[]
  readonly stale: readonly StaleRename[]
}

export function renameLayout(before: StoredLayout | undefined, after: Layout): RenamedLayout {
  if (before === undefined) return { layout: undefined, changes: [], stale: [] }
  const changes: RenameChange[] = []
  const stale: StaleRename[] = []
  const names = renameTables(before, after, changes, stale)
  const tables = new Map<string, StoredTable>()
  for (const stored of before.tables.values()) {
    const name = names.get(stored.name) ?? stored.name
    const table = after.tables.get(name)
    const followed = {
      ...stored,
      name,
      columns: stored.columns.map((column) => ({
        ...column,
        ...(column.references !== undefined && {
          references: names.get(column.references) ?? column.references,
        }),
      })),
    }
    tables.set(name, table === undefined ? followed : renameWithin(followed, table, changes, stale))
  }
  return { layout: { tables }, changes, stale }
}

/** Old name -> new name. A table is identified by its origin, so a new `collectionName` is a rename, too. */
function renameTables(
  before: StoredLayout,
  after: Layout,
  changes: RenameChange[],
  stale: StaleRename[],
): ReadonlyMap<string, string> {
  const free = new Map<string, StoredTable>()
  for (const stored of before.tables.values()) {
    const { origin, name } = stored
    // Of two tables, prefers the one in use; a table that the configuration still names cannot be renamed.
    if (origin === undefined || after.tables.has(name)) continue
    const other = free.get(origin)
    if (other === undefined || other.hidden === true) free.set(origin, stored)
  }
  const names = new Map<string, string>()
  for (const table of after.tables.values()) {
    const { origin, formerly = [] } = table
    if (before.tables.has(table.name)) {
      const left = formerly.map((one) => free.get(one)).find((one) => one !== undefined)
      if (left !== undefined) stale.push({ table, column: undefined, from: left.name })
      continue
    }
    const known = [...(origin === undefined ? [] : [origin]), ...formerly]
    const found = known
      .map((one) => free.get(one))
      .find((one) => one !== undefined && !names.has(one.name) && pointsAlike(one, table, names))
    if (found === undefined) continue
    names.set(found.name, table.name)
    changes.push({ kind: 'rename-table', effect: 'expand', table, from: found.name })
  }
  return names
}

/** Whether the references lead to the same tables: a table whose references change cannot be renamed. */
function pointsAlike(stored: StoredTable, table: Table, names: ReadonlyMap<string, string>): boolean {
  return table.columns.every(({ name, references }) => {
    const same = stored.columns.find((column) => column.name === name)
    if (same?.references === undefined || references === undefined) return true
    return (names.get(same.references) ?? same.references) === references
  })
}

function renameWithin(
  stored: StoredTable,
  table: Table,
  changes: RenameChange[],
  stale: StaleRename[],
): StoredTable {
  const columns = new Map<string, string>()
  const has = (columnsOf: readonly Column[], name: string): boolean =>
    columnsOf.some((column) => column.name === name)
  for (const column of table.columns) {
    const { formerly } = column
    if (formerly === undefined || formerly === column.name) continue
    if (!has(stored.columns, formerly) || has(table.columns, formerly)) continue
    if (has(stored.columns, column.name)) {
      stale.push({ table, column, from: formerly })
      continue
    }
    columns.set(formerly, column.name)
    changes.push({ kind: 'rename-column', effect: 'expand', table, column, from: formerly })
  }
  for (const text of table.texts ?? []) {
    if (stored.texts?.some((done) => isSame(done, text)) !== true) {
      changes.push({ kind: 'rename-text', effect: 'expand', table, text })
    }
  }
  const renamed = (name: string): string => columns.get(name) ?? name
  return {
    ...stored,
    columns: stored.columns.map((column): StoredColumn => ({ ...column, name: renamed(column.name) })),
    indexes: stored.indexes.map((index): Index => ({ ...index, columns: index.columns.map(renamed) })),
  }
}

function isSame(a: TextRename, b: TextRename): boolean {
  return a.column === b.column && a.from === b.from && a.to === b.to
}
