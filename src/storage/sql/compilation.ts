// The state of one compilation run: the dialect, the tables, and a fresh alias for every table in the statement.

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
  /** The alias of a populated level's members: the database must find them from their parents, not from a filter. */
  members: string | undefined
  /** Whether the part being compiled is below NOT, where a condition that is unknown must not become false. */
  negated: boolean
  /** Subqueries that the current subquery refers to by name instead of containing them; undefined outside of one. */
  named: RawBuilder<unknown>[] | undefined
  /** Whether the database may turn subqueries into joins. */
  readonly joinsSubqueries: boolean
  /** The number of subqueries around the part being compiled. */
  depth: number
  /** A placeholder for the value of a slot. */
  bound(slot: Slot | undefined, encode: (value: PlanValue) => SqlValue): BoundValue
  /** The only way to put a column into a statement: the planner decides which are allowed, and this asserts it. */
  column(alias: string, attribute: ScalarAttribute): RawBuilder<unknown>
  /** A column that the author's own rule or computed value reads; it may be private, because no client names it. */
  ruleColumn(alias: string, attribute: ScalarAttribute): RawBuilder<unknown>
}

/** Compiles the value of a computed attribute for the row of `alias`. */
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
  /** In the whole statement. */
  relations: number,
): Compilation {
  let aliases = 0
  const compilation: Compilation = {
    dialect,
    layout,
    members: undefined,
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
