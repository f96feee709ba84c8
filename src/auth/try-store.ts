// Where tries are counted, and the store of one process: bounded memory, which a reload of the configuration leaves as
// it is.

import { BoundedCache } from '../util/bounded-cache.ts'

export interface TryBucket {
  readonly key: string
  /** Tries that it holds within the window. */
  readonly most: number
}

/** What came of a try. */
export type Taken =
  /** It did not count: the moment at which there is room for one again. */
  | { readonly refusedUntil: number }
  /** Of the first bucket: how many tries it holds with this one, and the moment of the oldest. */
  | { readonly tries: number; readonly oldest: number }

export interface TryStore {
  /**
   * Counts a try in all of the buckets, or in none where one of them is full. `moment` in epoch milliseconds, `interval`
   * the milliseconds for which a try counts.
   */
  take(buckets: readonly TryBucket[], moment: number, interval: number): Taken | Promise<Taken>
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
      if (until !== undefined) return { refusedUntil: until }
      for (const { moments } of lists) moments.push(moment)
      return takenOf(lists[0]?.moments ?? [], moment)
    },
  }
}

/** `moments`: of all tries that the bucket holds, oldest first. */
export function takenOf(moments: readonly number[], moment: number): Taken {
  return { tries: moments.length, oldest: moments[0] ?? moment }
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
