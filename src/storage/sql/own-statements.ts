// Defines tables for the server's own data, which are not part of archives, and statements that use them.

import { sql } from 'kysely'
import { OWN_TABLE_PREFIX } from '../../model/naming.ts'
import type { Dialect, Fragment } from './dialect.ts'
import { createCompiler, returning } from './kysely-compiler.ts'
import type { Column, ColumnType, Index, Table } from './layout.ts'
import { type Statement, statement } from './statement.ts'

export function column(name: string, type: ColumnType, nullable = false): Column {
  return { name, type, nullable, origin: undefined }
}

/** With a column `id` before the others. Its name has the prefix, so that no content-type can have it. */
export function ownTable(
  name: string,
  columns: readonly Column[],
  indexes: readonly (Pick<Index, 'columns'> & { readonly unique?: true })[] = [],
): Table {
  const whole = OWN_TABLE_PREFIX + name
  return {
    name: whole,
    columns: [column('id', 'id'), ...columns],
    indexes: indexes.map(({ columns, unique = false }) => ({
      name: [whole, ...columns].join('_'),
      columns,
      unique,
    })),
  }
}

interface OwnStatements {
  bound(type: ColumnType): Fragment
  reading(fragment: Fragment): Statement
  /** Locks the rows on a server until the end of the transaction. */
  locking(select: Fragment): Statement
  /** Returns a row for each row that the change found. */
  finding(change: Fragment): Statement
  writing(fragment: Fragment): Statement
}

export function ownStatements(dialect: Dialect): OwnStatements {
  const compile = createCompiler(dialect)
  return {
    bound: (type) => dialect.bind(type, sql`${null}`),
    reading: (fragment) => statement(compile(fragment).text, true),
    locking: (select) => statement(compile(sql`${select} ${dialect.lock ?? sql``}`).text, true),
    finding: (change) => statement(compile(returning(dialect, change, sql.ref('id'))).text, 'found'),
    writing: (fragment) => statement(compile(fragment).text, false),
  }
}
