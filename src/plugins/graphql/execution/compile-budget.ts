// Limits how often documents are compiled: many at once when a server warms up, few afterwards. If clients send many
// documents twice each, graphql-js answers; V8 keeps the text of compiled code for a while after its last use.

import { performance } from 'node:perf_hooks'

export interface CompileBudget {
  /** Returns whether one more may be compiled now, and counts it. */
  take(): boolean
}

const BURST = 200
const A_SECOND = 10

export function createCompileBudget(now: () => number = () => performance.now()): CompileBudget {
  let credit = BURST
  let at = now()
  return {
    take() {
      const moment = now()
      credit = Math.min(BURST, credit + ((moment - at) / 1000) * A_SECOND)
      at = moment
      if (credit < 1) return false
      credit -= 1
      return true
    },
  }
}
