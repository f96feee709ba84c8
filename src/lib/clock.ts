// A clock that can be moved forward.

import { parseDuration } from './parse-units.ts'

export interface Clock {
  now(): Date
  /** Takes milliseconds or a duration: `90min`, `3d`. Throws RangeError for anything else. */
  advance(by: string | number): void
  /** Milliseconds. */
  readonly ahead: number
}

/** The default is looked up at each call because tests replace it. */
export function createClock(base: () => Date = () => new Date(), put = 0): Clock {
  let ahead = put
  return {
    now: () => new Date(base().getTime() + ahead),
    get ahead() {
      return ahead
    },
    advance(by) {
      const milliseconds = parseDuration(by)
      if (milliseconds === undefined)
        throw new RangeError(
          `advance(${JSON.stringify(by)}): not a duration like "90min" or "3d", or milliseconds`,
        )
      ahead += milliseconds
    },
  }
}
