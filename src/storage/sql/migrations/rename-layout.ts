// Finds the stored tables and columns that the configuration renamed. Returns the renames, and the stored
// layout with the new names.

import { shortenName } from '../../../model/naming.ts'
import type { Column, Index, Layout, Table, TextRename } from '../layout.ts'
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

/**
 * Renames a hidden column, whose values stay, because a new or renamed column of another type gets its name.
 */
export interface SetColumnAside {
  readonly kind: 'set-column-aside'
  readonly effect: 'expand'
  readonly table: Table
  readonly column: Column
  readonly aside: string
}

/** Both names exist, so that the right values are uncertain. */
export interface StaleRename {
  readonly table: Table
  readonly column: Column | undefined
  readonly stored: string
  readonly from: string
}

export interface RenamedLayout {
  readonly layout: StoredLayout | undefined
  /** In the order in which they must be made, before all other changes. */
  readonly changes: readonly (RenameChange | SetColumnAside)[]
  readonly stale: readonly StaleRename[]
}

export function renameLayout(before: StoredLayout | undefined, after: Layout): RenamedLayout {
  if (before === undefined) return { layout: undefined, changes: [], stale: [] }
  const changes: (RenameChange | SetColumnAside)[] = []
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
    tables.set(
      name,
      table === undefined ? followed : renameWithin(followed, stored.name, table, changes, stale),
    )
  }
  return { layout: { tables }, changes, stale }
}

/** Old name -> new name. A table is identified by its origin, so a new `collectionName` is also a rename. */
function renameTables(
  before: StoredLayout,
  after: Layout,
  changes: (RenameChange | SetColumnAside)[],
  stale: StaleRename[],
): ReadonlyMap<string, string> {
  const free = new Map<string, StoredTable>()
  for (const stored of before.tables.values()) {
    const { origin, name } = stored
    // Prefers the table in use; a table that the configuration still names cannot be renamed.
    if (origin === undefined || after.tables.has(name)) continue
    const other = free.get(origin)
    if (other === undefined || other.hidden === true) free.set(origin, stored)
  }
  const names = new Map<string, string>()
  const rename = ({ name }: StoredTable, table: Table): void => {
    names.set(name, table.name)
    changes.push({ kind: 'rename-table', effect: 'expand', table, from: name })
  }
  const taken = new Set([...before.tables.keys(), ...after.tables.keys()])
  for (const table of after.tables.values()) {
    const { origin, formerly = [] } = table
    const present = before.tables.get(table.name)
    const known = present === undefined && origin !== undefined ? [origin, ...formerly] : formerly
    const former = known.flatMap((one) => free.get(one) ?? [])
    const found = former.find((one) => !names.has(one.name) && pointsAlike(one, table, names))
    if (present !== undefined && (found === undefined || canStay(present, table, names))) {
      const [first] = former
      if (first !== undefined) stale.push({ table, column: undefined, stored: table.name, from: first.name })
      continue
    }
    if (found === undefined) continue
    if (present !== undefined) {
      const aside = findFreeName(table.name, taken)
      taken.add(aside)
      rename(present, { ...present, name: aside })
    }
    rename(found, table)
  }
  return names
}

/** Hidden rows that lead elsewhere cannot be shown again; a table in use stays. */
function canStay(stored: StoredTable, table: Table, names: ReadonlyMap<string, string>): boolean {
  return stored.hidden !== true || pointsAlike(stored, table, names)
}

/** A table whose references change cannot be renamed. */
function pointsAlike(stored: StoredTable, table: Table, names: ReadonlyMap<string, string>): boolean {
  return table.columns.every(({ name, references }) => {
    const same = stored.columns.find((column) => column.name === name)
    if (same?.references === undefined || references === undefined) return true
    return (names.get(same.references) ?? same.references) === references
  })
}

function renameWithin(
  stored: StoredTable,
  storedName: string,
  table: Table,
  changes: (RenameChange | SetColumnAside)[],
  stale: StaleRename[],
): StoredTable {
  const columns = new Map<string, string>()
  const asides = new Set<StoredColumn>()
  const has = (columnsOf: readonly Column[], name: string): boolean =>
    columnsOf.some((column) => column.name === name)
  for (const column of table.columns) {
    const { formerly } = column
    if (formerly === undefined || formerly === column.name) continue
    if (!has(stored.columns, formerly) || has(table.columns, formerly)) continue
    const taken = stored.columns.find(({ name }) => name === column.name)
    if (taken !== undefined && isSetAside(stored, taken, column)) {
      const names = new Set([...stored.columns, ...table.columns].map(({ name }) => name))
      const aside = findFreeName(column.name, names)
      columns.set(taken.name, aside)
      asides.add(taken)
      changes.push({ kind: 'set-column-aside', effect: 'expand', table, column: taken, aside })
    } else if (taken !== undefined) {
      stale.push({ table, column, stored: storedName, from: formerly })
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
    columns: stored.columns.map(
      (column): StoredColumn => ({
        ...column,
        name: renamed(column.name),
        ...(asides.has(column) && { hidden: true }),
      }),
    ),
    indexes: stored.indexes.map((index): Index => ({ ...index, columns: index.columns.map(renamed) })),
  }
}

export function isSetAside(table: StoredTable, hidden: StoredColumn, column: Column): boolean {
  return (table.hidden === true || hidden.hidden === true) && hidden.type !== column.type
}

export function findFreeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const free = shortenName(`${name}__kept_${number}`)
    if (!taken.has(free)) return free
  }
}

function isSame(a: TextRename, b: TextRename): boolean {
  return a.column === b.column && a.from === b.from && a.to === b.to
}
