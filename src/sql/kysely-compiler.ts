// Compiles a Kysely fragment or query builder into text and parameters, for one dialect, without a connection.
// Parameters are passed through unchanged, so that the compilers of plans can use slots in place of values.

import { type Compilable, Kysely, type RawBuilder } from 'kysely'
import type { Dialect } from './dialect.ts'

export interface Compiled {
  readonly text: string
  /** In the order of the placeholders. */
  readonly parameters: readonly unknown[]
}

export type Compile = (fragment: RawBuilder<unknown> | Compilable) => Compiled

/** Tables are known only at run time, so Kysely has no types for them. */
export type AnyTables = Record<string, Record<string, unknown>>

const kyselys = new WeakMap<Dialect, Kysely<AnyTables>>()

/** Kysely's builders for a dialect, for DDL; they cannot execute anything. */
export function kyselyOf(dialect: Dialect): Kysely<AnyTables> {
  let kysely = kyselys.get(dialect)
  if (kysely === undefined) {
    kysely = new Kysely<AnyTables>({ dialect: dialect.kysely })
    kyselys.set(dialect, kysely)
  }
  return kysely
}

export function createCompiler(dialect: Dialect): Compile {
  const kysely = kyselyOf(dialect)
  return (fragment) => {
    const { sql, parameters } = isRaw(fragment) ? fragment.compile(kysely) : fragment.compile()
    return { text: sql, parameters }
  }
}

function isRaw(fragment: RawBuilder<unknown> | Compilable): fragment is RawBuilder<unknown> {
  return 'isRawBuilder' in fragment
}
