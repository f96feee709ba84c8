// `database:` of the configuration -> an open Database. One folder for each kind of database.

import type { DatabaseConfig } from '../config/config.ts'
import type { Database } from './database.ts'
import type { ConnectionWatch } from './postgres/connections.ts'
import type { FileWatch } from './sqlite/file-database.ts'
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
export type DatabaseWatch = EngineWatch & ConnectionWatch & FileWatch

export interface OpenOptions {
  readonly watch?: DatabaseWatch
  /** Milliseconds that a request may take. */
  readonly timeout?: number
  /** It is only looked at, and may be in use by a server. */
  readonly alongside?: boolean
}

const TIMEOUT = 30_000

/** `directory` is where the configuration's relative file names start. */
export async function openDatabase(
  config: DatabaseConfig,
  directory: string,
  { watch = {}, timeout = TIMEOUT, alongside = false }: OpenOptions = {},
): Promise<Database> {
  if (config.client === 'memory') return MemoryDatabase.open(watch)
  if (config.client === 'postgres') {
    const { openPostgres } = await import('./postgres/open-postgres.ts')
    return openPostgres(config, timeout, watch)
  }
  const { openFile } = await import('./sqlite/open-file.ts')
  return openFile(config, directory, { watch, alongside })
}
