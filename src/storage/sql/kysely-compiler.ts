// Compiles a Kysely fragment into text and parameters, for one dialect, without a connection. Parameters are passed
// through unchanged, so that the compilers of plans can use slots in place of values.

import type { Dialect, Fragment } from './dialect.ts'

interface CompiledQuery {
  readonly text: string
  /** In the order of the placeholders. */
  readonly parameters: readonly unknown[]
}

type Compile = (fragment: Fragment) => CompiledQuery

/** Kysely numbers queries for plugins of its own. */
const NO_ID = { queryId: '' }

export function createCompiler({ compiler }: Dialect): Compile {
  return (fragment) => {
    const { sql, parameters } = compiler.compileQuery(fragment.toOperationNode(), NO_ID)
    return { text: sql, parameters }
  }
}
