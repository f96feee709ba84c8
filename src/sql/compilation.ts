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
  /** The one way a column gets into a statement: what it may touch is decided by the planner, and asserted here. */
  column(alias: string, attribute: ScalarAttribute): RawBuilder<unknown>
}

export function startCompilation(dialect: Dialect, layout: ModelLayout): Compilation {
  let aliases = 0
  return {
    dialect,
    layout,
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
