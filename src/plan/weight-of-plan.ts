// Estimates the memory of a plan and of everything that is made from it, for caches that are limited in bytes.

import { type Condition, levelsOf, membersOf, type ReadPlan } from './read-plan.ts'

/** Bytes per level, column and condition; measured including encoders and statements. */
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
    case 'compareValues':
    case 'textTest':
    case 'valueIsNull':
      return 1
    case 'related':
      return 1 + countOf(condition.condition)
  }
}
