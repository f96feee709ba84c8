// Hashes and verifies passwords a few at a time, because hashing is expensive by design and must not slow
// down reads.

import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers'
import { createWorkQueue } from '../http/work-queue.ts'
import { traceWork } from '../lib/traced.ts'

/** Bytes of UTF-8; a longer password is refused, not cut. */
export const MAX_PASSWORD_BYTES = 1024

/** Half of the cores; the others answer requests. */
const MAX_CONCURRENT = Math.max(1, Math.floor(availableParallelism() / 2))

/** Share of event-loop time; if it is busier, a pause follows each piece of work. */
const BUSY = 0.5

/** As a multiple of the piece of work before it. */
const PAUSE_FACTOR = 2

const queue = createWorkQueue(MAX_CONCURRENT, 'passwords')

/** Rejects with ServiceUnavailableError (503) when the queue is full. */
export function runInPasswordQueue<T>(work: () => Promise<T>): Promise<T> {
  const inQueue = (): Promise<T> =>
    new Promise((resolve, reject) => {
      const withPause = async (): Promise<void> => {
        const started = performance.now()
        const load = performance.eventLoopUtilization()
        await work().then(resolve, reject)
        const { utilization } = performance.eventLoopUtilization(load)
        if (queue.waiting > 0 && utilization > BUSY) await pause(PAUSE_FACTOR * (performance.now() - started))
      }
      queue.add(withPause).catch(reject)
    })
  return traceWork('password', inQueue)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
