// Leases let one of several processes that share a database do a task alone, until it ends or stops renewing.

import { randomUUID } from 'node:crypto'
import { type Database, run, type Work } from '../storage/database.ts'
import { createLeaseStatements } from './lease-table.ts'

export interface Lease {
  /** Takes or renews the lease; queries the database only once per interval. */
  take(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Milliseconds: how long a lease is valid, how often its owner renews it, and how often others try to take
 * it.
 */
const LEASE_MS = 15_000
const RENEWAL_INTERVAL_MS = 5_000
const RETRY_INTERVAL_MS = 1_000

/** Times come from the machines' clocks, which have to agree. */
export function createLease(database: Database, name: string): Lease {
  const { dialect, durable } = database
  const statements = createLeaseStatements(dialect)
  const schema = randomUUID()
  const big = (value: number) => dialect.encode('biginteger', value)
  let asked = 0
  let own = !durable

  function* take(now: number): Work<boolean> {
    const until = big(now + LEASE_MS)
    const [row] = yield* run(statements.find, [name])
    if (row === undefined) yield* run(statements.take, [name, schema, until])
    else if (row[0] === schema || Number(row[1]) < now) yield* run(statements.renew, [schema, until, name])
    else return false
    return true
  }

  return {
    async take() {
      const now = Date.now()
      if (!durable || now - asked < (own ? RENEWAL_INTERVAL_MS : RETRY_INTERVAL_MS)) return own
      own = await database.transaction(() => take(now))
      asked = Date.now()
      return own
    },
    async release() {
      if (durable && asked > 0) await database.transaction(() => run(statements.release, [name, schema]))
    },
  }
}
