// How often documents are compiled: in a burst when a server warms up, rarely afterwards. Clients that send each of many
// documents twice get graphql-js; V8 keeps the text of compiled code for a while after the last use of it.

import { performance } from 'node:perf_hooks'

export interface CompileBudget {
  /** Whether one more may be compiled now; counts it. */
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
