// Opens the Database of `database:` in the configuration.

import type { DatabaseConfig } from '../config/config.ts'
import type { Database, Snapshot } from './database.ts'
import type { ConnectionWatch } from './drivers/postgres/connections.ts'
import type { FileWatch } from './drivers/sqlite/file-database.ts'
import { compileSqlJs } from './drivers/sqlite/load-sql-js.ts'
import { type EngineWatch, MemoryDatabase } from './drivers/sqlite/memory-database.ts'

/** Ignores a failure, because `openDatabase` meets it again and reports it. */
export function warmDatabase(): void {
  compileSqlJs().catch(() => {})
}

export type DatabaseWatch = EngineWatch & ConnectionWatch & FileWatch

export interface OpenOptions {
  readonly watch?: DatabaseWatch
  /** In milliseconds. */
  readonly timeout?: number
  /** Whether the database is inspected, or changed a little, while a server may be using it. */
  readonly alongside?: boolean
  /** Memory only. */
  readonly content?: Snapshot | undefined
}

const TIMEOUT_MS = 30_000

export async function openDatabase(
  config: DatabaseConfig,
  directory: string,
  { watch = {}, timeout = TIMEOUT_MS, alongside = false, content }: OpenOptions = {},
): Promise<Database> {
  if (config.client === 'memory') return MemoryDatabase.open(watch, content)
  if (config.client === 'postgres') {
    const { openPostgres } = await import('./drivers/postgres/open-postgres.ts')
    return openPostgres(config, timeout, watch)
  }
  const { openFile } = await import('./drivers/sqlite/open-file.ts')
  return openFile(config, directory, { watch, alongside, timeout })
}
