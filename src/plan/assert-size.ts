// Bounds the relations that each statement of a plan looks through, after the rules of the caller were added to what the
// request says: each is a subquery, which takes about 0.1 ms to write and to prepare, and of which SQLite takes a few hundred.

import { ApiError } from '../errors/api-error.ts'
import { planLimits } from './planning.ts'
import { levelsOf, membersOf, type ReadPlan } from './read-plan.ts'
import { walkLevel } from './walk-plan.ts'

/** Throws ValidationError. */
export function assertSize(plan: ReadPlan): void {
  let relations = 0
  walkLevel(plan, {
    step: () => {
      relations += 1
    },
  })
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
