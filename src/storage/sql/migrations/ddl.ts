// Builds the statements that create, change and drop tables.

import { sql } from 'kysely'
import { compileIndexedPath } from '../compile-value.ts'
import type { Dialect, Fragment, IndexedTable } from '../dialect.ts'
import { createCompiler } from '../kysely-compiler.ts'
import type { Column, ColumnType, Index, Table } from '../layout.ts'
import { type Statement, statement } from '../statement.ts'

/** Values of the configuration never become column defaults. */
export interface Ddl {
  createTable(table: Table): Statement
  /** Also drops what its indexes have outside of the table. */
  dropTable(table: Table): readonly Statement[]
  renameTable(table: string, to: string): Statement
  addColumn(table: string, column: Column): Statement
  dropColumn(table: string, column: string): Statement
  renameColumn(table: string, column: string, to: string): Statement
  createIndex(table: IndexedTable, index: Index): readonly Statement[]
  dropIndex(table: IndexedTable, index: Index): readonly Statement[]
  analyze(tables: Iterable<string>): Statement | undefined
}

const TEXTS: ReadonlySet<ColumnType> = new Set<ColumnType>(['text', 'json'])

export function createDdl(dialect: Dialect): Ddl {
  const compile = createCompiler(dialect)
  const change = (fragment: Fragment): Statement => statement(compile(fragment).text, false)
  const key = sql.raw(dialect.generatedKey)
  const getType = ({ type }: Column) => {
    const name = dialect.columnTypes[type]
    const collated = TEXTS.has(type) && dialect.textCollation !== undefined
    return sql.raw(collated ? `${name} ${dialect.textCollation}` : name)
  }
  const getColumn = (column: Column): Fragment => sql`${sql.id(column.name)} ${getType(column)}`
  const references = ({ references: target }: Column): Fragment =>
    target === undefined ? sql`` : sql` references ${sql.table(target)} (${sql.id('id')}) on delete cascade`
  const ownReference = (column: Column): Fragment =>
    dialect.foreignKeys === 'column' ? references(column) : sql``
  /** Each key gets an index that no layout names: MySQL refuses to drop the only index that serves a foreign key. */
  const foreignKeys = (columns: readonly Column[]): readonly Fragment[] => {
    const referring = dialect.foreignKeys === 'column' ? [] : columns.filter(({ references }) => references)
    return referring.flatMap((column) => [
      sql`index ${sql.id(`#${column.name}`)} (${sql.id(column.name)})`,
      sql`foreign key (${sql.id(column.name)})${references(column)}`,
    ])
  }
  const definition = (column: Column): Fragment => {
    if (column.type === 'id') return sql`${getColumn(column)} ${key}`
    // When a relation becomes a relation to one, its order column stays, hidden and no longer written.
    const nullable = column.nullable || column.type === 'order'
    return sql`${getColumn(column)}${sql.raw(nullable ? '' : ' not null')}${ownReference(column)}`
  }
  const tableOptions = sql.raw(dialect.tableOptions === undefined ? '' : ` ${dialect.tableOptions}`)
  const alter = (table: string, what: Fragment) => change(sql`alter table ${sql.table(table)} ${what}`)
  const dropIndex = (table: IndexedTable, index: Index): readonly Statement[] => {
    if (index.text === true) return (dialect.textIndex?.drop(index.name) ?? []).map(change)
    return (dialect.indexes?.drop(table, index) ?? [sql`drop index ${sql.id(index.name)}`]).map(change)
  }
  const indexedColumns = (columns: readonly string[]): Fragment =>
    sql.join(columns.map((column) => dialect.indexed(sql.ref(column))))

  return {
    createTable: ({ name, columns }) =>
      change(
        sql`create table ${sql.table(name)} (${sql.join([...columns.map(definition), ...foreignKeys(columns)])})${tableOptions}`,
      ),
    dropTable: (table) => [
      ...table.indexes.filter(({ text }) => text).flatMap((index) => dropIndex(table, index)),
      change(sql`drop table ${sql.table(table.name)}`),
    ],
    renameTable: (table, to) => alter(table, sql`rename to ${sql.table(to)}`),
    addColumn: (table, column) =>
      alter(
        table,
        sql`add column ${sql.join([sql`${getColumn(column)}${ownReference(column)}`, ...foreignKeys([column]).map((key) => sql`add ${key}`)])}`,
      ),
    dropColumn: (table, column) => alter(table, sql`drop column ${sql.id(column)}`),
    renameColumn: (table, column, to) => alter(table, sql`rename column ${sql.id(column)} to ${sql.id(to)}`),
    createIndex(table, whole) {
      const { name, columns, unique, text, published, filled, json } = whole
      const [first] = columns
      if (text === true && first !== undefined)
        return (dialect.textIndex?.create(name, table.name, first) ?? []).map(change)
      if (dialect.indexes !== undefined) return dialect.indexes.create(table, whole).map(change)
      const indexed =
        json === undefined || first === undefined
          ? indexedColumns(columns)
          : dialect.indexed(sql`(${compileIndexedPath(dialect, sql.ref(first), json.path, json.as)})`)
      const kind = sql.raw(unique ? 'unique index' : 'index')
      const rows =
        published === true
          ? sql` where ${sql.ref('published_at')} is not null`
          : filled === true && first !== undefined
            ? sql` where ${sql.ref(first)} <> ''`
            : sql``
      return [change(sql`create ${kind} ${sql.id(name)} on ${sql.table(table.name)} (${indexed})${rows}`)]
    },
    dropIndex,
    analyze(tables) {
      const names = Array.from(tables, (name) => sql.table(name))
      return dialect.analyze === undefined || names.length === 0 ? undefined : change(dialect.analyze(names))
    },
  }
}
