// Opens the Database of `database:` in the configuration. Each kind of database has its own folder.

import type { DatabaseConfig } from '../config/config.ts'
import type { Database, Snapshot } from './database.ts'
import type { ConnectionWatch } from './drivers/postgres/connections.ts'
import type { FileWatch } from './drivers/sqlite/file-database.ts'
import { compileSqlJs } from './drivers/sqlite/load-sql-js.ts'
import { type EngineWatch, MemoryDatabase } from './drivers/sqlite/memory-database.ts'

/**
 * Starts loading what a memory database needs, while the configuration is still being read. `openDatabase` meets a
 * failure again and reports it.
 */
export function warmDatabase(): void {
  compileSqlJs().catch(() => {})
}

/** Events of the database that the application is told about. */
export type DatabaseWatch = EngineWatch & ConnectionWatch & FileWatch

export interface OpenOptions {
  readonly watch?: DatabaseWatch
  /** The time limit of a request, in milliseconds. */
  readonly timeout?: number
  /** Whether the database is only inspected, while a server may be using it. */
  readonly alongside?: boolean
  /** Memory only: a copy to begin with. */
  readonly content?: Snapshot | undefined
}

const TIMEOUT = 30_000

/** `directory`: the base of the configuration's relative file names. */
export async function openDatabase(
  config: DatabaseConfig,
  directory: string,
  { watch = {}, timeout = TIMEOUT, alongside = false, content }: OpenOptions = {},
): Promise<Database> {
  if (config.client === 'memory') return MemoryDatabase.open(watch, content)
  if (config.client === 'postgres') {
    const { openPostgres } = await import('./drivers/postgres/open-postgres.ts')
    return openPostgres(config, timeout, watch)
  }
  const { openFile } = await import('./drivers/sqlite/open-file.ts')
  return openFile(config, directory, { watch, alongside, timeout })
}
