// How long requests wait before anything looks at them. All sockets that one turn of the event loop reads had something to
// read when the turn began: a request that is begun after 80 ms of a turn has waited for 80 ms.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'

/** Milliseconds for which there must be too much all the time until it counts, and until it counts no longer. */
const PATIENCE = 500
/** Requests of one turn that are never refused, however long they take: a few slow ones are no overload either. */
const ALWAYS_SERVED = 16

export interface Waiting {
  /** Called for each request. Whether it is to be refused. `now`: the time, if it was just read. */
  tooLong(now?: number): boolean
}

/** `longest`: milliseconds; 0: never. */
export function watchWaiting(longest: number, clock = () => performance.now()): Waiting {
  const trouble = watchTrouble()
  let turns = false
  let began = 0
  let ended = Number.NEGATIVE_INFINITY
  let begun = 0

  function endTurn(): void {
    turns = false
    ended = clock()
    trouble.look(ended - began > longest, ended)
  }

  return {
    tooLong(now = clock()) {
      if (longest <= 0) return false
      if (!turns) {
        turns = true
        begun = 0
        began = now
        // Between two turns there was nothing to do.
        if (now - ended > longest) trouble.look(false, now)
        setImmediate(endTurn)
      }
      begun += 1
      return begun > ALWAYS_SERVED && now - began > longest && trouble.look(true, now)
    },
  }
}

/** The same for work that waits for something else, such as a connection to the database, by whether much does. */
export function watchCrowd(isCrowded: () => boolean, clock = () => performance.now()): Waiting {
  const trouble = watchTrouble()
  return {
    tooLong(now = clock()) {
      const crowded = isCrowded()
      return trouble.look(crowded, now) && crowded
    },
  }
}

/**
 * Trouble begins when every look for a while found it, so that a burst is none; and ends when none did for as long, or else
 * those that were refused would all be taken at the first look that does not.
 */
function watchTrouble(): { look(found: boolean, now: number): boolean } {
  let since: number | undefined
  let foundAt = Number.NEGATIVE_INFINITY
  let isThere = false
  return {
    look(found, now) {
      // Nobody looked for a while: what was found then is of no use.
      if (now - foundAt > PATIENCE) isThere = false
      if (found) {
        if (now - foundAt > PATIENCE) since = now
        since ??= now
        foundAt = now
        isThere ||= now - since > PATIENCE
      } else {
        since = undefined
      }
      return isThere
    },
  }
}
