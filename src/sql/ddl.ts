// Builds the statements that create, change and drop tables, written by Kysely for the dialect.

import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { createCompiler, kyselyOf } from './kysely-compiler.ts'
import type { Column, ColumnType, Index, Table } from './layout.ts'
import { type Statement, statement } from './statement.ts'

/** DDL of one dialect. Names come from the model; values of the configuration never become column defaults. */
export interface Ddl {
  createTable(table: Table): Statement
  dropTable(table: string): Statement
  renameTable(table: string, to: string): Statement
  addColumn(table: string, column: Column): Statement
  dropColumn(table: string, column: string): Statement
  renameColumn(table: string, column: string, to: string): Statement
  createIndex(table: string, index: Index): Statement
  dropIndex(index: string): Statement
  /** Statistics for the database's planner; undefined where it works without. */
  analyze(tables: Iterable<string>): Statement | undefined
}

const TEXTS: ReadonlySet<ColumnType> = new Set<ColumnType>(['text', 'json'])

export function createDdl(dialect: Dialect): Ddl {
  const { schema } = kyselyOf(dialect)
  const compile = createCompiler(dialect)
  const finish = (builder: Parameters<typeof compile>[0]): Statement =>
    statement(compile(builder).text, false)
  const typeOf = ({ type }: Column) => {
    const name = dialect.columnTypes[type]
    const collated = TEXTS.has(type) && dialect.textCollation !== undefined
    return sql.raw(collated ? `${name} ${dialect.textCollation}` : name)
  }

  return {
    createTable(table) {
      let builder = schema.createTable(table.name)
      for (const column of table.columns) {
        builder = builder.addColumn(column.name, typeOf(column), (definition) => {
          if (column.type === 'id') {
            const key = definition.primaryKey()
            return dialect.idGeneration === 'identity'
              ? key.generatedByDefaultAsIdentity()
              : key.autoIncrement()
          }
          // An order column stays, hidden, when its relation becomes a relation to one; then it is no longer written.
          const typed = column.nullable || column.type === 'order' ? definition : definition.notNull()
          return column.references === undefined
            ? typed
            : typed.references(`${column.references}.id`).onDelete('cascade')
        })
      }
      const { tableOptions } = dialect
      return finish(tableOptions === undefined ? builder : builder.modifyEnd(sql.raw(tableOptions)))
    },
    dropTable: (table) => finish(schema.dropTable(table)),
    renameTable: (table, to) => finish(schema.alterTable(table).renameTo(to)),
    addColumn: (table, column) =>
      finish(
        schema
          .alterTable(table)
          .addColumn(column.name, typeOf(column), (definition) =>
            column.references === undefined
              ? definition
              : definition.references(`${column.references}.id`).onDelete('cascade'),
          ),
      ),
    dropColumn: (table, column) => finish(schema.alterTable(table).dropColumn(column)),
    renameColumn: (table, column, to) => finish(schema.alterTable(table).renameColumn(column, to)),
    createIndex(table, index) {
      const columns = index.columns.map((name) => dialect.indexed(sql.ref(name)))
      const builder = schema.createIndex(index.name).on(table).expression(sql.join(columns))
      return finish(index.unique ? builder.unique() : builder)
    },
    dropIndex: (index) => finish(schema.dropIndex(index)),
    analyze(tables) {
      const names = Array.from(tables, (name) => sql.table(name))
      return dialect.analyze === undefined || names.length === 0
        ? undefined
        : statement(compile(dialect.analyze(names)).text, false)
    },
  }
}
