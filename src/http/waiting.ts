// How long requests wait before anything looks at them. All sockets that one turn of the event loop reads had something to
// read when the turn began: a request that is begun after 80 ms of a turn has waited for 80 ms.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'

/** Milliseconds for which there must be too much all the time until it counts, and until it counts no longer. */
const PATIENCE = 500
/** Requests of one turn that are never refused, however long they take: a few slow ones are no overload either. */
const ALWAYS_SERVED = 16
/** The same for each of what requests wait for in a queue. */
const ALWAYS_QUEUED = 5
/** Milliseconds over which the requests that end are counted. */
const SPAN = 200

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

/** Requests that wait for something of which there are a few, such as connections to a database. */
export interface Queue {
  readonly waiting: number
  /** How many of them there are. */
  readonly limit: number
}

export interface WaitingInLine extends Waiting {
  /** Called for each request that is over. */
  ended(): void
}

/** The same for requests that wait in a queue: for how long is told by how many have ended lately. */
export function watchQueue(
  longest: number,
  queue: () => Queue | undefined,
  clock = () => performance.now(),
): WaitingInLine {
  const trouble = watchTrouble()
  /** Requests that ended since `since`. */
  let count = 0
  let since = clock()
  /** Requests that ended in a millisecond of the span before. */
  let pace = 0

  function measure(now: number): void {
    if (now - since < SPAN) return
    pace = count / (now - since)
    count = 0
    since = now
  }

  function isTooLong(): boolean {
    const { waiting, limit } = queue() ?? { waiting: 0, limit: 0 }
    return waiting > ALWAYS_QUEUED * limit && waiting > longest * pace
  }

  return {
    tooLong(now = clock()) {
      if (longest <= 0) return false
      measure(now)
      const found = isTooLong()
      return trouble.look(found, now) && found
    },
    ended() {
      count += 1
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
