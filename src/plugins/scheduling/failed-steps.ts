// Entries that could not be written at their moments: each is tried again after a minute, and the log names it once.

import { BoundedCache } from '../../lib/bounded-cache.ts'

/** Milliseconds until an entry that could not be written is tried again. */
const RETRY_AFTER_MS = 60_000
/** One that is dropped beyond these is tried again at the next look. */
const MAX_REMEMBERED = 100_000
/** Entries that one warning names. */
const MAX_NAMED = 10

interface FailedSteps {
  /** When it may be tried again, in epoch milliseconds; undefined if it has not failed. */
  retryAt(key: string): number | undefined
  /** Returns whether the next report names it. `message` is what the log says of it. */
  add(key: string, message: string): boolean
  /** Warns of what failed for the first time since the last report. */
  report(): void
  clear(): void
}

export function createFailedSteps(now: () => number, warn: (message: string) => void): FailedSteps {
  const retries = new BoundedCache<number>({ budget: MAX_REMEMBERED })
  let named: string[] = []
  let more = 0
  return {
    retryAt: (key) => retries.get(key),
    add(key, message) {
      const isFirst = retries.get(key) === undefined
      retries.set(key, now() + RETRY_AFTER_MS)
      if (!isFirst) return false
      const isNamed = named.length < MAX_NAMED
      if (isNamed) named.push(message)
      else more++
      return isNamed
    },
    report() {
      if (named.length === 0) return
      warn(`${named.join('; ')}${more === 0 ? '' : `; and ${more} more entries`}`)
      named = []
      more = 0
    },
    clear: () => retries.clear(),
  }
}
