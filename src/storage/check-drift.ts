// Compares the existing tables with the stored layout, to find changes made by others.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { hasOwnPrefix } from '../model/naming.ts'
import { run, type Work } from './database.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Table } from './sql/layout.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import type { StoredLayout } from './sql/migrations/stored-layout.ts'

export type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

export function* listTables(dialect: Dialect): Work<Tables> {
  const tables = new Map<string, Map<string, string>>()
  const rows = yield* run(createMigrationStatements(dialect).listColumns(), [])
  for (const [table, column, type] of rows) {
    const name = String(table)
    const columns = tables.get(name) ?? new Map<string, string>()
    tables.set(name, columns.set(String(column), String(type)))
  }
  return tables
}

export function* hasTables(dialect: Dialect, tables: readonly Pick<Table, 'name'>[]): Work<boolean> {
  const there = yield* listTables(dialect)
  return tables.every(({ name }) => there.has(name))
}

export function* differences(dialect: Dialect, layout: StoredLayout, there: Tables): Generator<Diagnostic> {
  for (const table of layout.tables.values()) {
    const columns = there.get(table.name)
    if (columns === undefined) {
      yield createDriftFault(`its table ${table.name} is missing`)
      continue
    }
    for (const column of table.columns) {
      const type = columns.get(column.name)
      if (type === undefined) yield createDriftFault(`its column ${table.name}.${column.name} is missing`)
      else if (type !== dialect.columnTypes[column.type]) {
        yield createDriftFault(`its column ${table.name}.${column.name} is ${type}, not ${column.type}`)
      }
    }
    const known = new Set(table.columns.map(({ name }) => name))
    const others = [...columns.keys()].filter((name) => !known.has(name))
    if (others.length > 0)
      yield createDriftFault(`its table ${table.name} has other columns: ${others.join(', ')}`)
  }
}

/** Results would miss entries if others removed a text index, or its triggers. */
export function* findMissingTextIndexes(dialect: Dialect, layout: StoredLayout): Work<readonly Diagnostic[]> {
  const wanted = [...layout.tables.values()].flatMap(({ indexes }) => indexes.filter(({ text }) => text))
  const list = createMigrationStatements(dialect).listTextIndexes()
  if (wanted.length === 0 || list === undefined) return []
  const whole = new Set((yield* run(list, [])).map(([name]) => name))
  return wanted
    .filter(({ name }) => !whole.has(name))
    .map(({ name }) => createDriftFault(`its text index ${name} is missing, or its triggers are`))
}

export function listForeignTables(layout: StoredLayout | undefined, there: Tables): readonly string[] {
  return [...there.keys()].filter((name) => !hasOwnPrefix(name) && layout?.tables.has(name) !== true)
}

export function createDriftFault(what: string): Diagnostic {
  return {
    code: 'DBS009',
    severity: 'error',
    path: ['database'],
    message: `something other than cms-run changed the database: ${what}`,
    help: 'use a database of its own for it, or put back a copy of before the change',
  }
}
