// One operation is one answer, however many of its fields read.

import { createRowTally, type RowTally } from '../../../content/row-tally.ts'

const tallies = new WeakMap<object, RowTally>()

/** `context` is of one operation alone. */
export function tallyOf(context: object): RowTally {
  let tally = tallies.get(context)
  if (tally === undefined) {
    tally = createRowTally()
    tallies.set(context, tally)
  }
  return tally
}
