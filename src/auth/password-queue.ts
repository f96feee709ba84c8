// Work on passwords, a few pieces at a time: hashing is made to be expensive, and a flood of it must not take the
// machine from those who only read (RELIABILITY C39).

import { availableParallelism } from 'node:os'
import { ApiError } from '../errors/api-error.ts'

/** Longest password in bytes of UTF-8; nothing is cut off. */
export const LONGEST_PASSWORD = 1024

const MOST_WAITING = 64

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
    while (running.size >= availableParallelism()) await Promise.race(running)
  } finally {
    waiting -= 1
  }
  const own = work()
  // Whoever waits for a free place does not care how this one ends.
  const ended = own.catch(() => undefined)
  running.add(ended)
  try {
    return await own
  } finally {
    running.delete(ended)
  }
}
