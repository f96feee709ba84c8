// Plans which of some entries meet one of several conditions, such as the rules of a caller.

import type { Expression } from '../expressions/expression.ts'
import type { Variables } from '../model/access.ts'
import { everything } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { comparison } from './expression-path.ts'
import { joined, planExpression } from './plan-expression.ts'
import { startPlanning } from './planning.ts'
import type { Question } from './read-plan.ts'

/** The answer has no columns but the ids of those that meet a condition. */
export function planIds(
  type: ContentType,
  ids: readonly number[],
  anyOf: readonly Expression[],
  variables: Variables,
): Question {
  const planning = startPlanning(everything)
  const named = comparison({ planning }, type.id, '$in', ids)
  const condition = joined(
    'or',
    anyOf.map((one) => planExpression(planning, type, one, variables)),
  )
  return {
    plan: {
      holder: type,
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
