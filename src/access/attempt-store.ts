// Counts attempts, such as logins, in limited memory; the counts survive a reload.

import { BoundedCache } from '../lib/bounded-cache.ts'

export interface AttemptBucket {
  readonly key: string
  readonly most: number
}

export type AttemptResult =
  /** The attempt was refused and not counted; the next one is allowed at this moment. */
  { readonly refusedUntil: number } | AttemptCount

/** `oldest`: in an empty bucket, the moment of the request. */
export interface AttemptCount {
  readonly tries: number
  readonly oldest: number
}

export interface AttemptStore {
  /** Counts an attempt in all buckets, or in none if one is full. `moment` and `interval`: milliseconds. */
  take(
    buckets: readonly AttemptBucket[],
    moment: number,
    interval: number,
  ): AttemptResult | Promise<AttemptResult>
  /** Removes the newest attempt from each bucket; returns the count of the first. */
  giveBack(
    buckets: readonly AttemptBucket[],
    moment: number,
    interval: number,
  ): AttemptCount | Promise<AttemptCount>
  /** Undefined for stores that several processes share. */
  readonly restorations?: number
}

/** The least recently used bucket is dropped. 65,536 take about 16 MB. */
const MAX_BUCKETS = 65_536

export interface MemoryAttempts extends AttemptStore {
  copy(): AttemptsCopy
  restore(copy: AttemptsCopy): void
}

export type AttemptsCopy = readonly (readonly [string, readonly number[]])[]

export function createMemoryAttempts(): MemoryAttempts {
  /** Oldest first. */
  const tries = new BoundedCache<number[]>({ budget: MAX_BUCKETS })
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
      const until = getLatest(lists.map(({ moments, most }) => getRoomAt(moments, most, interval)))
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

/** `moments`: oldest first. */
export function countTries(moments: readonly number[], moment: number): AttemptCount {
  return { tries: moments.length, oldest: moments[0] ?? moment }
}

export function getRoomAt(moments: readonly number[], most: number, interval: number): number | undefined {
  const oldest = moments[moments.length - most]
  return oldest === undefined ? undefined : oldest + interval
}

export function getLatest(moments: readonly (number | undefined)[]): number | undefined {
  return moments.reduce((one, other) =>
    one === undefined || (other !== undefined && other > one) ? other : one,
  )
}
