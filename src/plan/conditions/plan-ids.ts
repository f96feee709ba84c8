// Plans which of the given entries meet a condition or are visible to a caller.

import type { Expression } from '../../expressions/expression.ts'
import { type Access, everything, type Variables } from '../../model/access.ts'
import type { ContentType } from '../../model/content-type.ts'
import { type PlanContext, startPlanning } from '../planning.ts'
import type { Condition, Query } from '../read-plan.ts'
import { ALWAYS } from './condition-logic.ts'
import { buildComparison } from './expression-path.ts'
import { joined, planExpression } from './plan-expression.ts'
import { getExistingBehind } from './plan-visibility.ts'

export function planIds(
  type: ContentType,
  ids: readonly number[],
  anyOf: readonly Expression[],
  variables: Variables,
): Query {
  const planning = startPlanning(everything)
  return idsWith(planning, type, ids, () =>
    joined(
      'or',
      anyOf.map((one) => planExpression(planning, type, one, variables)),
    ),
  )
}

/** Uses one statement, so that a hidden entry takes as long as one that does not exist. */
export function planVisibleIds(type: ContentType, ids: readonly number[], access: Access): Query {
  const planning = startPlanning(access)
  return idsWith(planning, type, ids, () => getExistingBehind(planning, type) ?? ALWAYS)
}

function idsWith(
  planning: PlanContext,
  type: ContentType,
  ids: readonly number[],
  getCondition: () => Condition,
): Query {
  const named = buildComparison({ planning }, type.id, '$in', ids)
  const condition = getCondition()
  return {
    plan: {
      schema: type,
      columns: [],
      condition: joined('and', [named, condition]),
      sort: [],
      limit: undefined,
      offset: undefined,
      populate: [],
    },
    page: undefined,
    values: planning.values,
  }
}
