// Tries that all processes on a database count together (`auth/rate-limit.ts`): one row for each key, locked while it
// is looked at, so that none is counted twice or forgotten. The table is made at the first try.

import { createHash } from 'node:crypto'
import { type Statement, statement } from '../../sql/statement.ts'
import { type Database, run, runAll, type SharedTries, StatementFailure, type Work } from '../database.ts'

/** In every so many tries, what is long over is swept out. */
const SWEEP_EVERY = 200

export function createSharedTries(database: Pick<Database, 'transaction'>, schema: string): SharedTries {
  const statements = statementsOf(`"${schema}"."cms_run_tries"`)
  let untilSweep = SWEEP_EVERY

  return {
    async take(counters, interval, moment) {
      // All lock in the same order.
      const sorted = counters
        .map(({ key, most }) => ({ key: createHash('sha256').update(key).digest('base64url'), most }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
      const work = function* (): Work<number | undefined> {
        const answers = yield* runAll(
          sorted.map(({ key }) => ({ statement: statements.lock, values: [key] })),
        )
        const recent = answers.map(([row]) => momentsOf(row?.[0]).filter((one) => one > moment - interval))
        for (const [index, { most }] of sorted.entries()) {
          const oldest = recent[index]?.[(recent[index]?.length ?? 0) - most]
          if (oldest !== undefined) return oldest
        }
        yield* runAll(
          sorted.map(({ key }, index) => ({
            statement: statements.keep,
            values: [key, `{${[...(recent[index] ?? []), moment].join(',')}}`],
          })),
        )
        untilSweep -= 1
        if (untilSweep > 0) return undefined
        untilSweep = SWEEP_EVERY
        yield* run(statements.sweep, [moment - interval])
        return undefined
      }
      try {
        return await database.transaction(work)
      } catch (error) {
        if (!isMissing(error)) throw error
        // Somebody else may make it at the same moment; whether it is there shows next.
        await Promise.resolve(database.transaction(() => run(statements.create, []))).catch(() => {})
        return await database.transaction(work)
      }
    },
  }
}

interface TryStatements {
  readonly create: Statement
  readonly lock: Statement
  readonly keep: Statement
  readonly sweep: Statement
}

function statementsOf(table: string): TryStatements {
  return {
    // Unlogged: what is tried now need not outlive a crash of the server.
    create: statement(
      `create unlogged table if not exists ${table} (key text collate "C" primary key, moments bigint[] not null)`,
      false,
    ),
    lock: statement(
      `insert into ${table} as tries (key, moments) values (cast($1 as text), '{}') on conflict (key) do update set moments = tries.moments returning array_to_string(moments, ',')`,
      true,
    ),
    keep: statement(`update ${table} set moments = cast($2 as bigint[]) where key = cast($1 as text)`, false),
    sweep: statement(
      `delete from ${table} where coalesce(moments[array_upper(moments, 1)], 0) < cast($1 as bigint)`,
      false,
    ),
  }
}

function momentsOf(text: unknown): readonly number[] {
  return typeof text === 'string' && text !== '' ? text.split(',').map(Number) : []
}

function isMissing(error: unknown): boolean {
  return error instanceof StatementFailure && error.code === '42P01'
}
