// Tracks entries that could not be written on schedule; each is retried after a minute and logged once.

import { BoundedCache } from '../../lib/bounded-cache.ts'

const RETRY_AFTER_MS = 60_000
/** Entries beyond this number are dropped and tried again at the next check. */
const MAX_REMEMBERED = 100_000
/** Entries per warning. */
const MAX_NAMED = 10

interface FailedSteps {
  /** Epoch milliseconds; undefined if the entry has not failed. */
  retryAt(key: string): number | undefined
  /** Returns whether the next report names the entry; `message` is its log text. */
  add(key: string, message: string): boolean
  /** Warns of entries that first failed since the last report. */
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
