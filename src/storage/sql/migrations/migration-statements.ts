// The statements that a migration reads and fills the tables with, apart from its DDL.

import { sql } from 'kysely'
import { compileTogether, compileTuples } from '../compile-together.ts'
import type { Dialect, Fragment } from '../dialect.ts'
import { createCompiler, storedTable, type TableSource } from '../kysely-compiler.ts'
import type { Column, ColumnType, Index, Table, Together } from '../layout.ts'
import { type Statement, statement } from '../statement.ts'
import { layoutTable } from './stored-layout.ts'

export const BATCH_ROWS = 1000

export interface MigrationStatements {
  listColumns(): Statement
  /** Returns one row with the reason against text indexes and what to do, or no row. */
  textIndexObstacle(): Statement | undefined
  /** Returns the names of complete text indexes; undefined where queries work without them. */
  listTextIndexes(): Statement | undefined
  readLayout(): Statement
  writeLayout(): Statement
  countRows(table: string): Statement
  countValues(table: string, column: string): Statement
  /** Value: an id. Returns rows `[id, value]` with greater ids, in their order. */
  valuesBehind(table: string, column: Column): Statement
  /** Values: the value, the id. */
  setValue(table: string, column: Column): Statement
  setAll(table: string, column: Column): Statement
  /** Value: the value for rows where the column is null. */
  setMissing(table: string, column: Column): Statement
  numberRows(table: string, column: string): Statement
  countText(table: string, column: string): Statement
  /** Values: the new text, the old text. */
  replaceText(table: string, column: string): Statement
  /** Returns at most `limit` ids of rows, grouped by equal values. */
  duplicates(table: Table, index: Index, limit: number): Statement
  together(table: Table, together: Together, limit: number): Statement
  /**
   * Values: an id, and the id behind the last one. Returns rows of the id, the columns of these types and the links, without
   * those that lack one of them.
   */
  listTuples(table: Table, together: Together, types: readonly ColumnType[]): Statement
  firstId(table: string): Statement
  lastId(table: string): Statement
}

/** Reads come from `from`, as the tables are or will be; writes change the tables that are there. */
export function createMigrationStatements(
  dialect: Dialect,
  from: TableSource = storedTable,
): MigrationStatements {
  const compile = createCompiler(dialect)
  const rows = (fragment: Parameters<typeof compile>[0]) => statement(compile(fragment).text, true)
  const none = (fragment: Parameters<typeof compile>[0]) => statement(compile(fragment).text, false)
  const optional = (fragment: Fragment | undefined) => (fragment === undefined ? undefined : rows(fragment))
  const layouts = sql.table(layoutTable.name)
  // Only the placeholders matter here; the values come with each run.
  const value = (column: Column) => dialect.bind(column.type, sql`${null}`)
  const text = dialect.bind('text', sql`${null}`)
  const big = dialect.bind('biginteger', sql`${null}`)
  const own = (table: string): Fragment => sql`${from(table)} as ${sql.ref('own')}`

  return {
    listColumns: () => rows(dialect.listColumns),
    textIndexObstacle: () => optional(dialect.textIndex?.obstacle),
    listTextIndexes: () => optional(dialect.textIndex?.list),
    readLayout: () => rows(sql`select layout from ${layouts} where id = 1`),
    writeLayout: () =>
      none(
        dialect.upsert({
          table: layoutTable.name,
          columns: ['id', 'layout'],
          values: [sql`1`, text],
          key: 'id',
          sets: { layout: (_, given) => given },
        }),
      ),
    countRows: (table) => rows(sql`select count(*) from ${own(table)}`),
    countValues: (table, column) => rows(sql`select count(${sql.ref(column)}) from ${own(table)}`),
    valuesBehind: (table, { name, type }) =>
      rows(
        sql`select id, ${dialect.select(type, sql.ref(name))} from ${own(table)} where id > ${null} and ${sql.ref(name)} is not null order by id limit ${sql.lit(BATCH_ROWS)}`,
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
      rows(sql`select count(*) from ${own(table)} where ${sql.ref(column)} = ${text}`),
    replaceText: (table, column) =>
      none(
        sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text} where ${sql.ref(column)} = ${text}`,
      ),
    together: (table, together, limit) =>
      rows(sql`${compileTogether(table.name, together, { from })} limit ${sql.lit(limit)}`),
    listTuples: (table, together, types) =>
      rows(
        compileTuples(
          from,
          table.name,
          together,
          (column, place) => dialect.select(types[place] ?? 'text', column),
          (id) => sql`${id} >= ${big} and ${id} < ${big}`,
        ),
      ),
    firstId: (table) => rows(sql`select min(id) from ${own(table)}`),
    lastId: (table) => rows(sql`select max(id) from ${own(table)}`),
    duplicates(table, index, limit) {
      const names = index.columns.map((name) => sql.ref(name))
      const columns = sql.join(names, sql`, `)
      const [first = sql.ref('id')] = names
      const present = sql.join(
        [
          ...names.map((name) => sql`${name} is not null`),
          ...(index.filled === true ? [sql`${first} <> ''`] : []),
        ],
        sql` and `,
      )
      const repeated = sql`select ${columns} from ${own(table.name)} where ${present} group by ${columns} having count(*) > 1`
      return rows(
        sql`select id from ${own(table.name)} where (${columns}) in (${repeated}) order by ${columns}, id limit ${sql.lit(limit)}`,
      )
    },
  }
}
