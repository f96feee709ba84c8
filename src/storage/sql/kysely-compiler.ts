// Compiles a Kysely fragment into text and parameters, without a connection. Parameters are passed through
// unchanged, so that plans can use slots as values.

import { sql } from 'kysely'
import type { Dialect, Fragment } from './dialect.ts'

interface CompiledQuery {
  readonly text: string
  readonly parameters: readonly unknown[]
}

type Compile = (fragment: Fragment) => CompiledQuery

const NO_ID = { queryId: '' }

export function createCompiler({ compiler }: Dialect): Compile {
  return (fragment) => {
    const { sql, parameters } = compiler.compileQuery(fragment.toOperationNode(), NO_ID)
    return { text: sql, parameters }
  }
}

/** With the columns of the rows that were made; where the database has no RETURNING, `Statement.answer` says them. */
export function returning({ returns }: Dialect, change: Fragment, columns: Fragment): Fragment {
  return returns ? sql`${change} returning ${columns}` : change
}

/** Stands after `from` or `join`, before an alias. */
export type TableSource = (table: string) => Fragment

export const storedTable: TableSource = (table) => sql.table(table)
