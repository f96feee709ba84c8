// Leases: of several processes that share a database, one does what only one may do, until it ends or is silent for long.

import { randomUUID } from 'node:crypto'
import { leaseStatements } from '../sql/event-tables.ts'
import { type Database, run } from './database.ts'

export interface Lease {
  /** Takes or prolongs the lease; whether it is this process's. */
  take(): Promise<boolean>
  release(): Promise<void>
}

/** `duration`: milliseconds for which it holds. Moments are those of the machines, which have to agree. */
export function createLease(database: Database, name: string, duration: number): Lease {
  const { dialect } = database
  const statements = leaseStatements(dialect)
  const holder = randomUUID()
  return {
    async take() {
      const now = Date.now()
      const until = dialect.encode('biginteger', now + duration)
      const values = [name, holder, until, dialect.encode('biginteger', now), holder]
      const rows = await database.transaction(() => run(statements.take, values))
      return rows.length > 0
    },
    async release() {
      await database.transaction(() => run(statements.release, [name, holder]))
    },
  }
}
