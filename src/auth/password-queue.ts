// Work on passwords, a few pieces at a time: hashing is made to be expensive, and a flood of it must not take the
// machine from those who only read (decision 0069; bench/login-load.ts).

import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers'
import { ApiError } from '../errors/api-error.ts'

/** Longest password in bytes of UTF-8; nothing is cut off. */
export const LONGEST_PASSWORD = 1024

const MOST_WAITING = 64

/** Half of the cores: the others answer. */
const MOST_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2))

/** Of its time the event loop was at work: then others are waiting, and a piece is followed by a pause. */
const BUSY = 0.5

/** A pause, in times of the piece before it. */
const PAUSE = 2

const running = new Set<Promise<unknown>>()
let waiting = 0

/** Rejects with ServiceUnavailableError (503) when too many are waiting. */
export async function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= MOST_WAITING) {
    throw new ApiError(
      'ServiceUnavailableError',
      'Too many passwords at once, try again',
      {},
      { 'retry-after': '1' },
    )
  }
  waiting += 1
  try {
    while (running.size >= MOST_AT_ONCE) await Promise.race(running)
  } finally {
    waiting -= 1
  }
  const started = performance.now()
  const load = performance.eventLoopUtilization()
  const own = work()
  // Whoever waits for a free place does not care how this one ends.
  const place = own
    .catch(() => undefined)
    .then(() => {
      const { utilization } = performance.eventLoopUtilization(load)
      if (waiting > 0 && utilization > BUSY) return pause(PAUSE * (performance.now() - started))
    })
    .finally(() => running.delete(place))
  running.add(place)
  return own
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
