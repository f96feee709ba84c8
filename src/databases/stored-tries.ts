// Tries counted in the database, for all processes that share it. A bucket that is full stays so until a moment that is
// known: until then it is refused without asking, so that a flood of tries is no flood of statements.

import { latest, roomAt, type Taken, type TryStore, takenOf } from '../auth/try-store.ts'
import { tryStatements } from '../sql/runtime-tables.ts'
import { LruMap } from '../util/lru-map.ts'
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
  const refused = new LruMap<string, number>(KEPT_REFUSALS)
  let forgotten = 0
  const encoded = (moment: number) => dialect.encode('biginteger', moment)

  return {
    async take(buckets, moment, interval) {
      const known = buckets.map(({ key }) => refused.get(key))
      const wait = latest(known.map((until) => (until !== undefined && moment < until ? until : undefined)))
      if (wait !== undefined) return { refusedUntil: wait }
      const { refusals, taken } = await database.transaction(function* (): Work<Outcome> {
        const full = new Map<string, number>()
        // Always in this order, the one that many share last: two tries do not wait for each other in a circle.
        const rows = yield* runAll(buckets.map(({ key }) => ({ statement: open, values: [key] })))
        const lists = rows.map(([row]) => momentsOf(row?.[0], moment - interval))
        for (const [index, { key, most }] of buckets.entries()) {
          const until = roomAt(lists[index] ?? [], most, interval)
          if (until !== undefined) full.set(key, until)
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

/** Those that still count, oldest first. */
function momentsOf(stored: unknown, since: number): readonly number[] {
  const moments = String(stored ?? '')
    .split(',')
    .map(Number)
  return moments.filter((moment) => moment > since).sort((a, b) => a - b)
}
