// Counts attempts in the database, for all processes that share it. A full bucket refuses attempts without a
// query, so that floods cause few statements.

import { BoundedCache } from '../../lib/bounded-cache.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import { buildExactKey } from '../../lib/exact-key.ts'
import { type Database, run, runAll, type Work } from '../../storage/database.ts'
import {
  type AttemptBucket,
  type AttemptCount,
  type AttemptResult,
  type AttemptStore,
  countTries,
  getLatest,
  getRoomAt,
} from '../attempt-store.ts'
import { createAttemptStatements } from './attempt-table.ts'

/** Full buckets in the cache; the database is queried for others. */
const MAX_CACHED_REFUSALS = 65_536

/** Milliseconds between two deletions of buckets that have ended. */
const FORGET_INTERVAL_MS = 60_000

interface Outcome {
  /** Full buckets, each with the time of the next allowed attempt. */
  readonly refusals: ReadonlyMap<string, number>
  readonly taken: AttemptResult | undefined
}

export function createStoredAttempts(database: Database): AttemptStore {
  const { dialect } = database
  const { open, moments, write, forget } = createAttemptStatements(dialect)
  const refused = new BoundedCache<number>({ budget: MAX_CACHED_REFUSALS })
  let forgotten = 0
  const encoded = (moment: number) => dialect.encode('biginteger', moment)

  function* openAll(buckets: readonly AttemptBucket[], since: number): Work<readonly (readonly number[])[]> {
    // Always in this order, the bucket that many share last, so that two attempts cannot deadlock.
    const steps = buckets.flatMap(({ key }) =>
      [open, moments].map((statement) => ({ statement, values: [key] })),
    )
    const rows = yield* runAll(steps)
    return buckets.map((_, index) => listMoments(rows[2 * index + 1]?.[0]?.[0], since))
  }

  return {
    async take(buckets, moment, interval) {
      const known = buckets.map((bucket) => refused.get(refusalKey(bucket, interval)))
      const wait = getLatest(
        known.map((until) => (until !== undefined && moment < until ? until : undefined)),
      )
      if (wait !== undefined) return { refusedUntil: wait }
      const { refusals, taken } = await database.transaction(function* (): Work<Outcome> {
        const full = new Map<string, number>()
        const lists = yield* openAll(buckets, moment - interval)
        for (const [index, bucket] of buckets.entries()) {
          const until = getRoomAt(lists[index] ?? [], bucket.most, interval)
          if (until !== undefined) full.set(refusalKey(bucket, interval), until)
        }
        if (full.size > 0) return { refusals: full, taken: undefined }
        yield* runAll(
          buckets.map(({ key }, index) => ({
            statement: write,
            values: [[...(lists[index] ?? []), moment].join(','), encoded(moment + interval), key],
          })),
        )
        return { refusals: full, taken: countTries([...(lists[0] ?? []), moment], moment) }
      })
      for (const [key, until] of refusals) refused.set(key, until)
      if (moment - forgotten > FORGET_INTERVAL_MS) {
        forgotten = moment
        await database.transaction(() => run(forget, [encoded(moment)]))
      }
      return taken ?? { refusedUntil: getLatest([...refusals.values()]) ?? moment + interval }
    },
    async giveBack(buckets, moment, interval) {
      const counted = await database.transaction(function* (): Work<AttemptCount> {
        const lists = (yield* openAll(buckets, moment - interval)).map((list) => list.slice(0, -1))
        yield* runAll(
          buckets.map(({ key }, index) => ({
            statement: write,
            values: [(lists[index] ?? []).join(','), encoded((lists[index]?.at(-1) ?? 0) + interval), key],
          })),
        )
        return countTries(lists[0] ?? [], moment)
      })
      for (const bucket of buckets) refused.set(refusalKey(bucket, interval), 0)
      return counted
    },
  }
}

/** Contains the limits, because a reload may change them. */
function refusalKey({ key, most }: AttemptBucket, interval: number): string {
  const written = buildExactKey([key, most, interval])
  invariant(written !== undefined, 'a text and two numbers have a key')
  return written
}

function listMoments(stored: unknown, since: number): readonly number[] {
  const moments = String(stored ?? '')
    .split(',')
    .map(Number)
  return moments.filter((moment) => moment > since).sort((a, b) => a - b)
}
