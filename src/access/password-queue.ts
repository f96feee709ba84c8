// Runs work on passwords, a few pieces at a time: hashing is expensive by design, and many logins at once must not slow
// down requests that only read (decision 0012; tools/bench/login-load.ts).

import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers'
import { createWorkQueue } from '../http/work-queue.ts'
import { traced } from '../lib/traced.ts'

/** Longest password in bytes of UTF-8; a longer one is refused, not cut. */
export const MAX_PASSWORD_BYTES = 1024

/** Half of the cores; the others answer requests. */
const MAX_CONCURRENT = Math.max(1, Math.floor(availableParallelism() / 2))

/** If the event loop is busy for this share of its time, other requests wait, and each piece is followed by a pause. */
const BUSY = 0.5

/** The length of a pause, as a multiple of the piece before it. */
const PAUSE = 2

const queue = createWorkQueue(MAX_CONCURRENT, 'passwords')

/** Rejects with ServiceUnavailableError (503) when too many are waiting. */
export function inPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  const inQueue = (): Promise<T> =>
    new Promise((resolve, reject) => {
      const withPause = async (): Promise<void> => {
        const started = performance.now()
        const load = performance.eventLoopUtilization()
        await work().then(resolve, reject)
        const { utilization } = performance.eventLoopUtilization(load)
        if (queue.waiting > 0 && utilization > BUSY) await pause(PAUSE * (performance.now() - started))
      }
      queue.add(withPause).catch(reject)
    })
  // With the time that it waits.
  return traced('password', inQueue)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
