// The statements that read whole tables into an archive, and fill tables from one.

import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { createCompiler, returning } from './kysely-compiler.ts'
import type { Table } from './layout.ts'
import { type Statement, statement } from './statement.ts'

export const BATCH_ROWS = 500

interface ArchiveStatements {
  /** Value: an id. Returns rows with greater ids, in their order. */
  rowsBehind(table: Table): Statement
  insertRow(table: Table): Statement
  /** Makes sure that the database never generates the id again. */
  insertLastRow(table: Table): Statement
  /** Value: a list of ids. Returns those that exist. */
  existing(table: string): Statement
  /** The first row of each group stays. */
  dropDuplicates(table: string, columns: readonly string[]): Statement
}

export function createArchiveStatements(dialect: Dialect): ArchiveStatements {
  const compile = createCompiler(dialect)
  const insert = ({ name, columns }: Table) => {
    const names = columns.map((column) => sql.ref(column.name))
    const values = columns.map(({ type }) => dialect.bind(type, sql`${null}`))
    return sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join(values)})`
  }
  return {
    rowsBehind({ name, columns }) {
      const selected = sql.join(columns.map((column) => dialect.select(column.type, sql.ref(column.name))))
      const behind = sql`id > ${dialect.bind('id', sql`${null}`)}`
      const text = sql`select ${selected} from ${sql.table(name)} where ${behind} order by id limit ${sql.lit(BATCH_ROWS)}`
      return statement(compile(text).text, true)
    },
    insertRow: (table) => statement(compile(insert(table)).text, false),
    insertLastRow: (table) =>
      statement(compile(returning(dialect, insert(table), dialect.givenId(table.name))).text, 'inserted'),
    existing(table) {
      const listed = dialect.inList('id', sql.ref('id'), sql`${null}`)
      return statement(compile(sql`select id from ${sql.table(table)} where ${listed}`).text, true)
    },
    dropDuplicates(table, columns) {
      const group = sql.join(columns.map((column) => sql.ref(column)))
      const first = sql`select min(id) from ${sql.table(table)} group by ${group}`
      return statement(compile(sql`delete from ${sql.table(table)} where id not in (${first})`).text, false)
    },
  }
}
