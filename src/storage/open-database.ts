// The drivers by `database.client`; opens the Database of the configuration, or inspects it.

import type { Config, DatabaseConfig } from '../config/config.ts'
import type { DatabaseClientName } from '../config/database-clients.ts'
import type { Database } from './database.ts'
import type { Driver, DriverOptions, FileBackup } from './driver.ts'
import { compileSqlJs } from './drivers/memory/load-sql-js.ts'
import { memoryDriver } from './drivers/memory/memory-driver.ts'
import { mysqlDriver } from './drivers/mysql/mysql-driver.ts'
import { postgresDriver } from './drivers/postgres/postgres-driver.ts'
import { sqliteDriver } from './drivers/sqlite/sqlite-driver.ts'
import type { Dialect } from './sql/dialect.ts'

const drivers: Readonly<Record<DatabaseClientName, Driver>> = {
  memory: memoryDriver,
  sqlite: sqliteDriver,
  postgres: postgresDriver,
  mysql: mysqlDriver,
}

/** Ignores a failure, because `openDatabase` meets it again and reports it. */
export function warmDatabase(): void {
  compileSqlJs().catch(() => {})
}

const TIMEOUT_MS = 30_000

/** Throws OpenFailure. */
export function openDatabase(
  config: DatabaseConfig,
  directory: string,
  { watch = {}, timeout = TIMEOUT_MS, alongside = false, content }: Partial<DriverOptions> = {},
): Promise<Database> {
  return drivers[config.client].open(config, directory, { watch, timeout, alongside, content })
}

/** Resolves with a description. Throws OpenFailure with the diagnostics that a start would report. */
export function inspectDatabase(config: DatabaseConfig, directory: string): Promise<string> {
  return drivers[config.client].inspect(config, directory)
}

/** Returns the database file only if it does not exist yet: opening it would create it. */
export function findMissingFile({
  database,
  directory,
}: Pick<Config, 'database' | 'directory'>): string | undefined {
  return drivers[database.client].findMissing(database, directory)
}

/** The SQL dialect of a database that is not open, to describe its statements. */
export function getClientDialect({ client }: Pick<DatabaseConfig, 'client'>): Dialect {
  return drivers[client].dialect
}

/** How the file of the database is copied; for another kind of database a sentence that says what to do. */
export function getBackup({
  database,
  directory,
}: Pick<Config, 'database' | 'directory'>): FileBackup | string {
  const { backup, backupAdvice } = drivers[database.client]
  return backup?.(database, directory) ?? backupAdvice
}
