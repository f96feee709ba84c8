// How many entries and components one answer is made of: one that holds too many is refused before it is whole.

import { planLimits, tooMuch } from '../plan/planning.ts'

export interface RowTally {
  /** Throws ValidationError. */
  add(rows: number): void
}

export function createRowTally(): RowTally {
  let counted = 0
  return {
    add(rows) {
      counted += rows
      if (counted > planLimits.rows) throw tooMuch('entries and components in one answer', planLimits.rows)
    },
  }
}
