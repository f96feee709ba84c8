// The server's own tables, and the statements that use them.

import { sql } from 'kysely'
import type { Dialect, Fragment } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import type { Column, ColumnType } from './layout.ts'
import { type Statement, statement } from './statement.ts'

export function column(name: string, type: ColumnType, nullable = false): Column {
  return { name, type, nullable, origin: undefined }
}

interface OwnStatements {
  bound(type: ColumnType): Fragment
  reading(fragment: Fragment): Statement
  writing(fragment: Fragment): Statement
}

export function ownStatements(dialect: Dialect): OwnStatements {
  const compile = createCompiler(dialect)
  return {
    bound: (type) => dialect.bind(type, sql`${null}`),
    reading: (fragment) => statement(compile(fragment).text, true),
    writing: (fragment) => statement(compile(fragment).text, false),
  }
}
