// The state of compiling one statement: the dialect, the tables, and a fresh alias for every table.

import { type RawBuilder, sql } from 'kysely'
import { invariant } from '../../lib/errors/invariant.ts'
import type { Computed, ScalarAttribute } from '../../model/attribute.ts'
import type { PlanValue, ReadPlan, Slot } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { type BoundValue, bound } from './parameter.ts'
import type { SqlValue } from './statement.ts'

export interface Compilation {
  readonly dialect: Dialect
  readonly layout: ModelLayout
  alias(): string
  /**
   * The alias of a populated field's rows, which the database must find from their parents, not from a
   * filter.
   */
  populated: string | undefined
  /**
   * Whether the part being compiled is below NOT, where an unknown (null) condition must not become false.
   */
  negated: boolean
  named: RawBuilder<unknown>[] | undefined
  readonly joinsSubqueries: boolean
  depth: number
  bound(slot: Slot | undefined, encode: (value: PlanValue) => SqlValue): BoundValue
  /** The only way to put a column into a statement: asserts that the planner allowed it. */
  column(alias: string, attribute: ScalarAttribute): RawBuilder<unknown>
  /**
   * Reads a column for the author's own rule or computed value; it may be private, because no client names
   * it.
   */
  ruleColumn(alias: string, attribute: ScalarAttribute): RawBuilder<unknown>
}

type CompileComputed = (
  compilation: Compilation,
  alias: string,
  attribute: ScalarAttribute,
  computed: Computed,
) => RawBuilder<unknown>

export function startCompilation(
  dialect: Dialect,
  layout: ModelLayout,
  compileComputed: CompileComputed,
  plan: Pick<ReadPlan, 'seesPrivate'>,
  relations: number,
): Compilation {
  let aliases = 0
  const compilation: Compilation = {
    dialect,
    layout,
    populated: undefined,
    negated: false,
    named: undefined,
    joinsSubqueries: relations <= dialect.maxJoinedSubqueries,
    depth: 0,
    alias() {
      aliases += 1
      return `t${aliases}`
    },
    column(alias, attribute) {
      invariant(
        plan.seesPrivate === true || !attribute.private,
        `the private attribute ${attribute.name} may not enter a read`,
      )
      return compilation.ruleColumn(alias, attribute)
    },
    ruleColumn(alias, attribute) {
      const { computed, column } = attribute
      return computed === undefined
        ? sql.ref(`${alias}.${column}`)
        : compileComputed(compilation, alias, attribute, computed)
    },
    bound,
  }
  return compilation
}
