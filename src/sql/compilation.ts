// What one compilation run carries along: the dialect, the tables, and a fresh alias for every table it names.

import { type RawBuilder, sql } from 'kysely'
import { invariant } from '../errors/invariant.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'

export interface Compilation {
  readonly dialect: Dialect
  readonly layout: ModelLayout
  alias(): string
  /** Stands for the members of some parents: they are found from their parents, not from what a filter leads to. */
  members: string | undefined
  /** Subqueries that the one being compiled names instead of holding them; undefined outside of one. */
  named: RawBuilder<unknown>[] | undefined
  /** Subqueries around what is being compiled. */
  depth: number
  /** The one way a column gets into a statement: what it may touch is decided by the planner, and asserted here. */
  column(alias: string, attribute: ScalarAttribute): RawBuilder<unknown>
}

export function startCompilation(dialect: Dialect, layout: ModelLayout): Compilation {
  let aliases = 0
  return {
    dialect,
    layout,
    members: undefined,
    named: undefined,
    depth: 0,
    alias() {
      aliases += 1
      return `t${aliases}`
    },
    column(alias, attribute) {
      invariant(!attribute.private, `the private attribute ${attribute.name} may not enter a read`)
      return sql.ref(`${alias}.${attribute.column}`)
    },
  }
}
