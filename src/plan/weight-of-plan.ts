// What a plan takes in memory, with what is made of it: for caches that are bounded in bytes.

import { type Condition, levelsOf, membersOf, type ReadPlan } from './read-plan.ts'

/** Measured with what encoders and statements add: bytes of a level, of a column, of a condition. */
const LEVEL = 3000
const COLUMN = 100
const CONDITION = 300

export function weightOfPlan(plan: ReadPlan): number {
  let weight = LEVEL + COLUMN * plan.columns.length + CONDITION * (plan.sort.length + countOf(plan.condition))
  for (const populate of membersOf(plan))
    for (const below of levelsOf(populate)) weight += weightOfPlan(below)
  return weight
}

function countOf(condition: Condition | undefined): number {
  switch (condition?.kind) {
    case undefined:
      return 0
    case 'and':
    case 'or':
      return condition.conditions.reduce((count, part) => count + countOf(part), 0)
    case 'not':
      return countOf(condition.condition)
    case 'compare':
      return 1
    case 'related':
      return 1 + countOf(condition.condition)
  }
}
