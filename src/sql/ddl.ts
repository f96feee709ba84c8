// Builds the statements that create, change and drop tables, written by Kysely for the dialect.

import { sql } from 'kysely'
import type { Dialect, Fragment } from './dialect.ts'
import { createCompiler, kyselyOf } from './kysely-compiler.ts'
import type { Column, ColumnType, Index, Table } from './layout.ts'
import { type Statement, statement } from './statement.ts'

/** DDL of one dialect. Names come from the model; values of the configuration never become column defaults. */
export interface Ddl {
  createTable(table: Table): Statement
  /** With what its indexes have outside of it. */
  dropTable(table: Pick<Table, 'name' | 'indexes'>): readonly Statement[]
  renameTable(table: string, to: string): Statement
  addColumn(table: string, column: Column): Statement
  dropColumn(table: string, column: string): Statement
  renameColumn(table: string, column: string, to: string): Statement
  createIndex(table: string, index: Index): readonly Statement[]
  dropIndex(index: Index): readonly Statement[]
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

  const raw = (fragment: Fragment): Statement => statement(compile(fragment).text, false)
  const dropIndex = ({ name, text }: Index): readonly Statement[] =>
    text === true ? (dialect.textIndex?.drop(name) ?? []).map(raw) : [finish(schema.dropIndex(name))]

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
    dropTable: ({ name, indexes }) => [
      ...indexes.filter(({ text }) => text).flatMap(dropIndex),
      finish(schema.dropTable(name)),
    ],
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
      const [first] = index.columns
      if (index.text === true && first !== undefined)
        return (dialect.textIndex?.create(index.name, table, first) ?? []).map(raw)
      const columns = index.columns.map((name) => dialect.indexed(sql.ref(name)))
      const builder = schema.createIndex(index.name).on(table).expression(sql.join(columns))
      return [finish(index.unique ? builder.unique() : builder)]
    },
    dropIndex,
    analyze(tables) {
      const names = Array.from(tables, (name) => sql.table(name))
      return dialect.analyze === undefined || names.length === 0
        ? undefined
        : statement(compile(dialect.analyze(names)).text, false)
    },
  }
}
