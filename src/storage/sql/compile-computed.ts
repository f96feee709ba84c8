// Compiles computed attributes: their expression replaces a column.

import { type RawBuilder, sql } from 'kysely'
import { everything } from '../../model/access.ts'
import type { Computed, ScalarAttribute } from '../../model/attribute.ts'
import { planValue } from '../../plan/conditions/plan-expression.ts'
import { startPlanning } from '../../plan/planning.ts'
import type { PlanValue, ValueExpression } from '../../plan/read-plan.ts'
import { getColumnType } from './build-layout.ts'
import type { Compilation } from './compilation.ts'
import { compileCondition } from './compile-filter.ts'
import { compileValue } from './compile-value.ts'
import type { Dialect } from './dialect.ts'
import { CONSTANT } from './parameter.ts'

type Sql = RawBuilder<unknown>

interface ValuePlan {
  readonly value: ValueExpression
  readonly values: readonly PlanValue[]
}

const planned = new WeakMap<Computed, ValuePlan>()

export function compileComputed(
  compilation: Compilation,
  alias: string,
  attribute: ScalarAttribute,
  computed: Computed,
): Sql {
  const { value, values } = getPlanned(computed)
  const withConstants: Compilation = {
    ...compilation,
    bound(slot, encode) {
      const constant = encode(values[slot ?? 0] ?? null)
      return { slot: CONSTANT, encode: () => constant }
    },
  }
  return asColumn(compilation.dialect, attribute, compileValue(withConstants, alias, value, compileCondition))
}

function getPlanned(computed: Computed): ValuePlan {
  const known = planned.get(computed)
  if (known !== undefined) return known
  const planning = startPlanning(everything)
  const value = planValue(planning, computed.schema, computed.expression)
  const made = { value, values: planning.values }
  planned.set(computed, made)
  return made
}

const MAX_EXACT = Number.MAX_SAFE_INTEGER

/** Gives the value the type and collation of the attribute's column. Numbers come as doubles. */
function asColumn(dialect: Dialect, attribute: ScalarAttribute, value: Sql): Sql {
  const type = getColumnType(attribute)
  switch (type) {
    case 'text':
      return dialect.textCollation === undefined ? value : sql`(${value} ${sql.raw(dialect.textCollation)})`
    case 'integer': {
      const whole = dialect.whole(dialect.truncated(dialect.double(value)))
      return sql`(case when abs(${dialect.double(value)}) <= ${sql.lit(MAX_EXACT)} then ${whole} end)`
    }
    case 'float':
    case 'decimal':
      return dialect.double(value)
    default:
      return value
  }
}
