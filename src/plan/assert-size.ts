// Bounds the relations that each statement of a plan looks through, after the rules of the caller were added to what the
// request says: each is a subquery, which takes about 0.1 ms to write and to prepare, and of which SQLite takes a few hundred.

import { ApiError } from '../errors/api-error.ts'
import { planLimits } from './planning.ts'
import { type Condition, levelsOf, membersOf, type ReadPlan, type ValueExpression } from './read-plan.ts'

/** Throws ValidationError. */
export function assertSize(plan: ReadPlan): void {
  let relations = countIn(plan.condition) + countIn(plan.keyset?.behind)
  for (const { through, only } of plan.sort)
    relations += through.length + sum([...only.values()].map(countIn))
  if (relations > planLimits.relations) throw tooManyRelations()
  for (const member of membersOf(plan)) for (const level of levelsOf(member)) assertSize(level)
}

function tooManyRelations(): ApiError {
  const { relations } = planLimits
  return new ApiError(
    'ValidationError',
    `Too many relations in the filters and sort of one list: at most ${relations} are allowed; compare several values with $in, or send several requests`,
  )
}

function countIn(condition: Condition | undefined): number {
  switch (condition?.kind) {
    case undefined:
    case 'compare':
      return 0
    case 'and':
    case 'or':
      return sum(condition.conditions.map(countIn))
    case 'not':
      return countIn(condition.condition)
    case 'related':
      return 1 + countIn(condition.only) + countIn(condition.condition)
    case 'compareValues':
      return countInValue(condition.left) + countInValue(condition.right)
    case 'textTest':
      return countInValue(condition.text) + countInValue(condition.part)
    case 'valueIsNull':
      return countInValue(condition.value)
  }
}

function countInValue(value: ValueExpression): number {
  switch (value.kind) {
    case 'attribute':
      return value.through.length
    case 'slot':
    case 'null':
      return 0
    case 'ordinary':
      return countInValue(value.value)
    case 'size':
      return countInValue(value.text)
    case 'arithmetic':
    case 'concat':
      return countInValue(value.left) + countInValue(value.right)
    case 'conditional':
      return sum(value.cases.map((one) => countIn(one.when) + countInValue(one.value)))
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
