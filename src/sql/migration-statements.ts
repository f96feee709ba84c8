// The statements that a migration asks and fills the tables with, beside its DDL.

import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import type { Column, Index, Table } from './layout.ts'
import { type Statement, statement } from './statement.ts'
import { layoutTable } from './stored-layout.ts'

/** How many rows of a column are read at once. */
export const BATCH = 1000

export interface MigrationStatements {
  /** One row for each column of each table there is: table, column, the database's type of it. */
  listColumns(): Statement
  /** No row, or one with the stored layout. */
  readLayout(): Statement
  /** Takes the layout. */
  writeLayout(): Statement
  countRows(table: string): Statement
  /** How many rows have a value in the column. */
  countValues(table: string, column: string): Statement
  /** Rows `[id, value]` in the order of ids, behind the id that it takes. */
  valuesBehind(table: string, column: Column): Statement
  /** Takes the value and the id. */
  setValue(table: string, column: Column): Statement
  /** Takes the value for all rows. */
  setAll(table: string, column: Column): Statement
  /** Takes the value for the rows that have none. */
  setMissing(table: string, column: Column): Statement
  numberRows(table: string, column: string): Statement
  /** Takes the text; how many rows of the column say it. */
  countText(table: string, column: string): Statement
  /** Takes the new text and the old one. */
  replaceText(table: string, column: string): Statement
  /** The ids of some rows that the unique index would refuse, those with the same values together. */
  duplicates(table: Table, index: Index, limit: number): Statement
}

export function migrationStatements(dialect: Dialect): MigrationStatements {
  const compile = createCompiler(dialect)
  const rows = (fragment: Parameters<typeof compile>[0]) => statement(compile(fragment).text, true)
  const none = (fragment: Parameters<typeof compile>[0]) => statement(compile(fragment).text, false)
  const layouts = sql.table(layoutTable.name)
  // Only the places of values matter here; what is bound comes with each run.
  const value = (column: Column) => dialect.bind(column.type, sql`${null}`)
  const text = dialect.bind('text', sql`${null}`)

  return {
    listColumns: () => rows(dialect.listColumns),
    readLayout: () => rows(sql`select layout from ${layouts} where id = 1`),
    writeLayout: () =>
      none(
        sql`insert into ${layouts} (id, layout) values (1, ${null}) on conflict (id) do update set layout = excluded.layout`,
      ),
    countRows: (table) => rows(sql`select count(*) from ${sql.table(table)}`),
    countValues: (table, column) => rows(sql`select count(${sql.ref(column)}) from ${sql.table(table)}`),
    valuesBehind: (table, { name, type }) =>
      rows(
        sql`select id, ${dialect.select(type, sql.ref(name))} from ${sql.table(table)} where id > ${null} and ${sql.ref(name)} is not null order by id limit ${sql.lit(BATCH)}`,
      ),
    setValue: (table, column) =>
      none(sql`update ${sql.table(table)} set ${sql.ref(column.name)} = ${value(column)} where id = ${null}`),
    setAll: (table, column) =>
      none(sql`update ${sql.table(table)} set ${sql.ref(column.name)} = ${value(column)}`),
    setMissing: (table, column) =>
      none(
        sql`update ${sql.table(table)} set ${sql.ref(column.name)} = ${value(column)} where ${sql.ref(column.name)} is null`,
      ),
    numberRows: (table, column) => none(sql`update ${sql.table(table)} set ${sql.ref(column)} = id`),
    countText: (table, column) =>
      rows(sql`select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${text}`),
    replaceText: (table, column) =>
      none(
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where ${sql.ref(column)} = ${text}`,
      ),
    duplicates(table, index, limit) {
      const names = index.columns.map((name) => sql.ref(name))
      const columns = sql.join(names, sql`, `)
      const present = sql.join(
        names.map((name) => sql`${name} is not null`),
        sql` and `,
      )
      const repeated = sql`select ${columns} from ${sql.table(table.name)} where ${present} group by ${columns} having count(*) > 1`
      return rows(
        sql`select id from ${sql.table(table.name)} where (${columns}) in (${repeated}) order by ${columns}, id limit ${sql.lit(limit)}`,
      )
    },
  }
}
