// The interface of stores that count tries, and the store of one process: it uses limited memory and survives a reload
// of the configuration.

import { BoundedCache } from '../lib/bounded-cache.ts'

export interface AttemptBucket {
  readonly key: string
  /** How many tries the bucket allows within the window. */
  readonly most: number
}

/** The result of a try. */
export type AttemptResult =
  /** The try was refused and not counted; the moment at which one is allowed again. */
  { readonly refusedUntil: number } | AttemptCount

/** How many tries the first bucket holds, and the moment of the oldest; without any, the moment of the request. */
export interface AttemptCount {
  readonly tries: number
  readonly oldest: number
}

export interface AttemptStore {
  /**
   * Counts a try in all of the buckets, or in none if one of them is full. `moment`: epoch milliseconds. `interval`:
   * the milliseconds for which a try counts.
   */
  take(
    buckets: readonly AttemptBucket[],
    moment: number,
    interval: number,
  ): AttemptResult | Promise<AttemptResult>
  /** Takes the newest try out of each of the buckets; returns what is left in the first. */
  giveBack(
    buckets: readonly AttemptBucket[],
    moment: number,
    interval: number,
  ): AttemptCount | Promise<AttemptCount>
  /** How often the counts were put back to those of another moment; never where several processes share them. */
  readonly restorations?: number
}

/** How many buckets are kept; the least recently used one is dropped. 65,536 take about 16 MB. */
const KEPT_BUCKETS = 65_536

export interface MemoryAttempts extends AttemptStore {
  copy(): AttemptsCopy
  restore(copy: AttemptsCopy): void
}

/** The moments of each bucket's tries. */
export type AttemptsCopy = readonly (readonly [string, readonly number[]])[]

export function createMemoryAttempts(): MemoryAttempts {
  /** Moments of the tries that count, oldest first. */
  const tries = new BoundedCache<number[]>({ budget: KEPT_BUCKETS })
  let restorations = 0
  return {
    get restorations() {
      return restorations
    },
    take(buckets, moment, interval) {
      const lists = buckets.map(({ key, most }) => {
        const moments = (tries.get(key) ?? []).filter((one) => one > moment - interval)
        tries.set(key, moments)
        return { moments, most }
      })
      const until = latest(lists.map(({ moments, most }) => roomAt(moments, most, interval)))
      if (until !== undefined) return { refusedUntil: until }
      for (const { moments } of lists) moments.push(moment)
      return countTries(lists[0]?.moments ?? [], moment)
    },
    giveBack(buckets, moment) {
      for (const { key } of buckets) tries.get(key)?.pop()
      return countTries(tries.get(buckets[0]?.key ?? '') ?? [], moment)
    },
    copy: () => tries.entries().map(([key, moments]) => [key, [...moments]]),
    restore(copy) {
      restorations += 1
      tries.clear()
      for (const [key, moments] of copy) tries.set(key, [...moments])
    },
  }
}

/** `moments`: those of all tries in the bucket, oldest first. */
export function countTries(moments: readonly number[], moment: number): AttemptCount {
  return { tries: moments.length, oldest: moments[0] ?? moment }
}

/** When a bucket with these tries allows another one; undefined if it does now. */
export function roomAt(moments: readonly number[], most: number, interval: number): number | undefined {
  const oldest = moments[moments.length - most]
  return oldest === undefined ? undefined : oldest + interval
}

export function latest(moments: readonly (number | undefined)[]): number | undefined {
  return moments.reduce((one, other) =>
    one === undefined || (other !== undefined && other > one) ? other : one,
  )
}
