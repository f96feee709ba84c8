// Tries counted in the database, for all processes that share it. A bucket that is full stays so until a moment that is
// known: until then it is refused without asking, so that a flood of tries is no flood of statements.

import { latest, roomAt, type Taken, type TryBucket, type TryStore, takenOf } from '../auth/try-store.ts'
import { invariant } from '../errors/invariant.ts'
import { tryStatements } from '../sql/runtime-tables.ts'
import { BoundedCache } from '../util/bounded-cache.ts'
import { exactKey } from '../util/exact-key.ts'
import { type Database, run, runAll, type Work } from './database.ts'

/** Full buckets that are remembered; another is asked for. */
const KEPT_REFUSALS = 65_536

/** Milliseconds after which buckets that ended are looked for again. */
const FORGET_EVERY = 60_000

interface Outcome {
  /** Buckets that are full, each with the moment at which it has room again. */
  readonly refusals: ReadonlyMap<string, number>
  readonly taken: Taken | undefined
}

export function createStoredTries(database: Database): TryStore {
  const { dialect } = database
  const { open, write, forget } = tryStatements(dialect)
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
        // Always in this order, the one that many share last: two tries do not wait for each other in a circle.
        const rows = yield* runAll(buckets.map(({ key }) => ({ statement: open, values: [key] })))
        const lists = rows.map(([row]) => momentsOf(row?.[0], moment - interval))
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
        return { refusals: full, taken: takenOf([...(lists[0] ?? []), moment], moment) }
      })
      for (const [key, until] of refusals) refused.set(key, until)
      if (moment - forgotten > FORGET_EVERY) {
        forgotten = moment
        await database.transaction(() => run(forget, [encoded(moment)]))
      }
      return taken ?? { refusedUntil: latest([...refusals.values()]) ?? moment + interval }
    },
  }
}

/** A reload may change the limits: a bucket that was full under the old ones may have room under the new. */
function refusalKey({ key, most }: TryBucket, interval: number): string {
  const written = exactKey([key, most, interval])
  invariant(written !== undefined, 'a text and two numbers have a key')
  return written
}

/** Those that still count, oldest first. */
function momentsOf(stored: unknown, since: number): readonly number[] {
  const moments = String(stored ?? '')
    .split(',')
    .map(Number)
  return moments.filter((moment) => moment > since).sort((a, b) => a - b)
}
