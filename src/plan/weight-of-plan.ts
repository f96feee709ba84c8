// Estimates the memory of a plan and of everything that is made from it, for caches that are limited in bytes.

import type { ReadPlan } from './read-plan.ts'
import { walkPlan } from './walk-plan.ts'

/** Bytes per level, column and condition; measured including encoders and statements. */
const LEVEL_BYTES = 3000
const COLUMN_BYTES = 100
const CONDITION_BYTES = 300

export function weightOfPlan(plan: ReadPlan): number {
  let weight = 0
  walkPlan(plan, {
    level: ({ columns, sort }) => {
      weight += LEVEL_BYTES + COLUMN_BYTES * columns.length + CONDITION_BYTES * sort.length
    },
    condition: () => {
      weight += CONDITION_BYTES
    },
  })
  return weight
}
