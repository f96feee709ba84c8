// One comparison of an attribute with values, and whether an index of texts helps to find the entries.

import type { ScalarAttribute } from '../../model/attribute.ts'
import type { Operator, OperatorKind } from '../operators.ts'
import { countPredicate, type PlanContext, slot } from '../planning.ts'
import type { Condition, PlanValue } from '../read-plan.ts'

/** Texts that match have all characters of the value, one behind the other. */
const FINDS: ReadonlySet<OperatorKind> = new Set<OperatorKind>(['contains', 'startsWith', 'endsWith'])

export function planComparison(
  planning: PlanContext,
  attribute: ScalarAttribute,
  operator: Operator,
  values: readonly PlanValue[],
): Condition {
  const slots = values.map((value) => slot(planning, value))
  return comparison(planning, attribute, operator, slots, values[0])
}

/** `value`: what the first slot holds. */
export function comparison(
  planning: PlanContext,
  attribute: ScalarAttribute,
  operator: Operator,
  slots: readonly number[],
  value: PlanValue | undefined,
): Condition {
  countPredicate(planning)
  const indexed = attribute.textIndex && FINDS.has(operator.kind) && !operator.negated && isLong(value)
  return { kind: 'compare', attribute, operator, slots, ...(indexed && { indexed }) }
}

/** Whether the text has at least the three characters that an entry of the index has. */
function isLong(value: PlanValue | undefined): boolean {
  if (typeof value !== 'string' || value.includes('\0')) return false
  return value.length > 5 || [...value].length >= 3
}
