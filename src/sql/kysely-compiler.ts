// A fragment or a query builder of Kysely -> text and parameters, for one dialect. There is no connection behind
// it. Parameters pass through as they are, so that a compiler of plans can put its slots where values will stand.

import { type Compilable, Kysely, type RawBuilder } from 'kysely'
import type { Dialect } from './dialect.ts'

export interface Compiled {
  readonly text: string
  /** In the order of the placeholders. */
  readonly parameters: readonly unknown[]
}

export type Compile = (fragment: RawBuilder<unknown> | Compilable) => Compiled

/** Tables are known at run time only, so Kysely's own knowledge of them stays empty. */
export type AnyTables = Record<string, Record<string, unknown>>

const kyselys = new WeakMap<Dialect, Kysely<AnyTables>>()

/** Kysely's builders for a dialect, to make DDL with; it cannot execute anything. */
export function kyselyOf(dialect: Dialect): Kysely<AnyTables> {
  let kysely = kyselys.get(dialect)
  if (kysely === undefined) {
    kysely = new Kysely<AnyTables>({ dialect: dialect.kysely })
    kyselys.set(dialect, kysely)
  }
  return kysely
}

/** The compiling function of a dialect. */
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
