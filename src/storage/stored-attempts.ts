// Counts tries in the database, for all processes that share it. It is known until when a full bucket stays full: until
// then its tries are refused without a query, so that many tries do not cause many statements.

import {
  type AttemptBucket,
  type AttemptCount,
  type AttemptResult,
  type AttemptStore,
  countTries,
  latest,
  roomAt,
} from '../access/attempt-store.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { invariant } from '../lib/errors/invariant.ts'
import { exactKey } from '../lib/exact-key.ts'
import { type Database, run, runAll, type Work } from './database.ts'
import { attemptStatements } from './sql/runtime-tables.ts'

/** How many full buckets are remembered; for others the database is asked. */
const KEPT_REFUSALS = 65_536

/** Milliseconds between two deletions of buckets that have ended. */
const FORGET_EVERY = 60_000

interface Outcome {
  /** Full buckets, each with the moment at which it allows a try again. */
  readonly refusals: ReadonlyMap<string, number>
  readonly taken: AttemptResult | undefined
}

export function createStoredAttempts(database: Database): AttemptStore {
  const { dialect } = database
  const { open, write, forget } = attemptStatements(dialect)
  const refused = new BoundedCache<number>({ budget: KEPT_REFUSALS })
  let forgotten = 0
  const encoded = (moment: number) => dialect.encode('biginteger', moment)

  return {
    async take(buckets, moment, interval) {
      const known = buckets.map((bucket) => refused.get(refusalKey(bucket, interval)))
      const wait = latest(known.map((until) => (until !== undefined && moment < until ? until : undefined)))
      if (wait !== undefined) return { refusedUntil: wait }
      const { refusals, taken } = await database.transaction(function* (): Work<Outcome> {
        const full = new Map<string, number>()
        // Always in this order, the bucket that many share last, so that two tries cannot deadlock.
        const rows = yield* runAll(buckets.map(({ key }) => ({ statement: open, values: [key] })))
        const lists = rows.map(([row]) => listMoments(row?.[0], moment - interval))
        for (const [index, bucket] of buckets.entries()) {
          const until = roomAt(lists[index] ?? [], bucket.most, interval)
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
      if (moment - forgotten > FORGET_EVERY) {
        forgotten = moment
        await database.transaction(() => run(forget, [encoded(moment)]))
      }
      return taken ?? { refusedUntil: latest([...refusals.values()]) ?? moment + interval }
    },
    async giveBack(buckets, moment, interval) {
      const counted = await database.transaction(function* (): Work<AttemptCount> {
        const rows = yield* runAll(buckets.map(({ key }) => ({ statement: open, values: [key] })))
        const lists = rows.map(([row]) => listMoments(row?.[0], moment - interval).slice(0, -1))
        yield* runAll(
          buckets.map(({ key }, index) => ({
            statement: write,
            values: [(lists[index] ?? []).join(','), encoded((lists[index]?.at(-1) ?? 0) + interval), key],
          })),
        )
        return countTries(lists[0] ?? [], moment)
      })
      // The database is asked again.
      for (const bucket of buckets) refused.set(refusalKey(bucket, interval), 0)
      return counted
    },
  }
}

/** Contains the limits, because a bucket may be full under old limits, but not under those of a reload. */
function refusalKey({ key, most }: AttemptBucket, interval: number): string {
  const written = exactKey([key, most, interval])
  invariant(written !== undefined, 'a text and two numbers have a key')
  return written
}

/** The moments that still count, oldest first. */
function listMoments(stored: unknown, since: number): readonly number[] {
  const moments = String(stored ?? '')
    .split(',')
    .map(Number)
  return moments.filter((moment) => moment > since).sort((a, b) => a - b)
}
