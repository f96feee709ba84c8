// Where tries are counted, and the store of one process: bounded memory, which a reload of the configuration leaves as
// it is.

import { BoundedCache } from '../util/bounded-cache.ts'

export interface TryBucket {
  readonly key: string
  /** Tries that it holds within the window. */
  readonly most: number
}

export interface TryStore {
  /**
   * Counts a try in all of the buckets, or in none where one of them is full; then answers the moment at which there is
   * room in it again. `moment` in epoch milliseconds, `interval` the milliseconds for which a try counts.
   */
  take(
    buckets: readonly TryBucket[],
    moment: number,
    interval: number,
  ): number | undefined | Promise<number | undefined>
}

/** Buckets that are remembered; the one that was not seen for longest is forgotten. 65,536 take some 16 MB. */
const KEPT_BUCKETS = 65_536

export function createMemoryTries(): TryStore {
  /** Moments of the tries that count, oldest first. */
  const tries = new BoundedCache<number[]>({ budget: KEPT_BUCKETS })
  return {
    take(buckets, moment, interval) {
      const lists = buckets.map(({ key, most }) => {
        const moments = (tries.get(key) ?? []).filter((one) => one > moment - interval)
        tries.set(key, moments)
        return { moments, most }
      })
      const until = latest(lists.map(({ moments, most }) => roomAt(moments, most, interval)))
      if (until === undefined) for (const { moments } of lists) moments.push(moment)
      return until
    },
  }
}

/** When a bucket with these tries has room again; undefined where it has some now. */
export function roomAt(moments: readonly number[], most: number, interval: number): number | undefined {
  const oldest = moments[moments.length - most]
  return oldest === undefined ? undefined : oldest + interval
}

export function latest(moments: readonly (number | undefined)[]): number | undefined {
  return moments.reduce((one, other) =>
    one === undefined || (other !== undefined && other > one) ? other : one,
  )
}
