// Plans a comparison of an attribute with values.

import type { ScalarAttribute } from '../../model/attribute.ts'
import type { Operator, OperatorKind } from '../operators.ts'
import { countPredicate, type PlanContext, slot } from '../planning.ts'
import type { Condition, PlanValue } from '../read-plan.ts'

/** Operators whose matching texts contain the whole value. */
const FINDS: ReadonlySet<OperatorKind> = new Set<OperatorKind>(['contains', 'startsWith', 'endsWith'])

export function planComparison(
  planning: PlanContext,
  attribute: ScalarAttribute,
  operator: Operator,
  values: readonly PlanValue[],
): Condition {
  const slots = values.map((value) => slot(planning, value))
  return buildComparison(planning, attribute, operator, slots, values[0])
}

export function buildComparison(
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

/** A trigram index needs at least three characters. */
function isLong(value: PlanValue | undefined): boolean {
  if (typeof value !== 'string' || value.includes('\0')) return false
  return value.length > 5 || [...value].length >= 3
}
