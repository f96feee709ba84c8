// `database:` of the configuration -> an open Database. One folder for each kind of database.

import type { DatabaseConfig } from '../config/config.ts'
import type { Database } from './database.ts'
import { OpenFailure } from './open-failure.ts'
import type { ConnectionWatch } from './postgres/connections.ts'
import { compileSqlJs } from './sqlite/load-sql-js.ts'
import { type EngineWatch, MemoryDatabase } from './sqlite/memory-database.ts'

/**
 * Begins what opening a database in memory will wait for, while the configuration is still being read. A failure is
 * met again, and told, by `openDatabase`.
 */
export function warmDatabase(): void {
  compileSqlJs().catch(() => {})
}

/** What the application wants to hear of its database. */
export type DatabaseWatch = EngineWatch & ConnectionWatch

export interface OpenOptions {
  readonly watch?: DatabaseWatch
  /** Milliseconds that a request may take. */
  readonly timeout?: number
}

const TIMEOUT = 30_000

/** `directory` is where the configuration's relative file names start. */
export async function openDatabase(
  config: DatabaseConfig,
  _directory: string,
  { watch = {}, timeout = TIMEOUT }: OpenOptions = {},
): Promise<Database> {
  if (config.client === 'memory') return MemoryDatabase.open(watch)
  if (config.client === 'postgres') {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres(config, timeout, watch)
  }
  throw new OpenFailure([
    {
      code: 'DBS001',
      severity: 'error',
      path: ['database', 'client'],
      message: `the database "${config.client}" is not available in this version`,
      help: 'use `client: memory`',
    },
  ])
}
