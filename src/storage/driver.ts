// The contract of a kind of database. To add one, make a folder in `drivers/` and add it to `open-database.ts` and to
// `config/database-clients.ts`.

import type { DatabaseConfig } from '../config/config.ts'
import type { ApiError } from '../lib/errors/api-error.ts'
import type { Database, EngineFailure, Snapshot } from './database.ts'
import type { Dialect } from './sql/dialect.ts'

export interface Driver {
  readonly dialect: Dialect
  /** Throws OpenFailure. */
  open(config: DatabaseConfig, directory: string, options: DriverOptions): Promise<Database>
  /** Resolves with a description of a database that can be opened, without changing it. Throws OpenFailure. */
  inspect(config: DatabaseConfig, directory: string): Promise<string>
  /** The database file if it does not exist yet: opening it would create it. */
  findMissing(config: DatabaseConfig, directory: string): string | undefined
  /** Undefined if the file of the database cannot be copied from here; `backupAdvice` then says what to do. */
  readonly backup: ((config: DatabaseConfig, directory: string) => FileBackup | undefined) | undefined
  readonly backupAdvice: string
}

/** The absolute path of the database file, and how it is copied while a server writes to it; in bytes. */
export interface FileBackup {
  readonly file: string
  copyTo(target: string): Promise<number>
}

export class BackupFailure extends Error {
  override name = 'BackupFailure'
}

export interface DriverOptions {
  readonly watch: DatabaseWatch
  /** In milliseconds. */
  readonly timeout: number
  /** Whether the database is inspected, or changed a little, while a server may be using it. */
  readonly alongside: boolean
  /** Memory only. */
  readonly content: Snapshot | undefined
}

/** Is told of events while the database is open. */
export interface DatabaseWatch extends EngineWatch, FileWatch, ConnectionWatch {}

/** For engines in the memory of this process. */
export interface EngineWatch {
  broke?(failure: EngineFailure): void
  /** With the content of the last snapshot, or empty without one. */
  replaced?(restored: boolean): void
  /** The next request tries again. */
  failed?(reason: unknown): void
}

export interface FileWatch {
  /** Writing has stopped until the next start. */
  stopped?(reason: unknown): void
  /** A write failed, and others may, too: no space, no access, a file that is damaged or locked. */
  refused?(reason: ApiError): void
  /** The log grows until it can be copied into the file again. */
  behind?(reason: unknown): void
}

export interface ConnectionWatch {
  /** Most likely the server is down. */
  lost?(reason: string): void
  unanswered?(): void
}

export class FileMovedError extends Error {
  override name = 'FileMovedError'
}
