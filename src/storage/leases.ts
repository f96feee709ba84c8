// Leases: of several processes that share a database, one does what only one may do, until it ends or is silent for long.

import { randomUUID } from 'node:crypto'
import { type Database, run } from './database.ts'
import { makeRuntimeTables } from './make-runtime-tables.ts'
import { leaseStatements, leaseTables } from './sql/lease-tables.ts'

export interface Lease {
  /** Makes the table. */
  open(): Promise<void>
  /** Whether it is this process's. Takes or prolongs it; asks the database once in a while. */
  take(): Promise<boolean>
  /** Another process may take it. */
  release(): Promise<void>
}

/** Milliseconds: how long a lease holds, when its holder prolongs it, and when others try to take it. */
const DURATION = 15_000
const PROLONG_EVERY = 5_000
const TRY_EVERY = 1_000

/** Moments are those of the machines, which have to agree. A database of one process needs no lease. */
export function createLease(database: Database, name: string): Lease {
  const { dialect, durable } = database
  const statements = leaseStatements(dialect)
  const schema = randomUUID()
  const big = (value: number) => dialect.encode('biginteger', value)
  let asked = 0
  let own = !durable
  return {
    async open() {
      if (durable) await makeRuntimeTables(database, leaseTables)
    },
    async take() {
      const now = Date.now()
      if (!durable || now - asked < (own ? PROLONG_EVERY : TRY_EVERY)) return own
      const values = [name, schema, big(now + DURATION), big(now), schema]
      const rows = await database.transaction(() => run(statements.take, values))
      asked = Date.now()
      own = rows.length > 0
      return own
    },
    async release() {
      if (durable && asked > 0) await database.transaction(() => run(statements.release, [name, schema]))
    },
  }
}
