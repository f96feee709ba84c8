// Opens a FileDatabase for `database:` with `client: sqlite`, or returns a diagnostic that says why not.

import { mkdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { DatabaseConfig } from '../../../config/config.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { invariant } from '../../../lib/errors/invariant.ts'
import { OpenFailure } from '../../database.ts'
import type { FileWatch } from '../../driver.ts'
import { statement } from '../../sql/statement.ts'
import { Checkpoints } from './checkpoints.ts'
import { FileDatabase, LONG_TIMEOUT_MS } from './file-database.ts'
import { getCode } from './file-failure.ts'
import { type FileLock, lockFile } from './file-lock.ts'
import { FilePlace } from './file-place.ts'
import { LibsqlConnection } from './libsql-connection.ts'
import { startThreads } from './libsql-threads.ts'
import type { AsyncLibsqlDatabase, LibsqlApi, LibsqlDatabase } from './libsql-types.ts'
import { ThreadReader } from './thread-reader.ts'
import { openWriteAheadLog, type WriteAheadLog } from './write-ahead-log.ts'

export interface FileOptions {
  readonly watch: FileWatch
  /** Opens the file without the lock, for short work, since a server may be using it. */
  readonly alongside: boolean
  /** Milliseconds. */
  readonly timeout?: number
  /** For tests. */
  readonly openLog?: (file: string) => WriteAheadLog
  /** In bytes; long statements on a larger file run on threads. For tests. */
  readonly largeFrom?: number
}

/** A scan of a smaller file takes about as long as a slice of a read. */
const MIN_LARGE_BYTES = 16 * 1024 * 1024
/** A further thread would slow down the main thread's requests, and may have 32 MB of pages. */
const MAX_THREADS = Math.max(1, Math.min(3, availableParallelism() - 1))

const TIMEOUT_MS = 30_000

/** Up to this size in bytes, the whole file is checked at the start. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024

export async function openFile(
  config: DatabaseConfig,
  directory: string,
  {
    watch,
    alongside,
    timeout = TIMEOUT_MS,
    openLog = openWriteAheadLog,
    largeFrom = MIN_LARGE_BYTES,
  }: FileOptions,
): Promise<FileDatabase> {
  invariant(config.filename !== undefined, 'checked with the configuration')
  const file = resolve(directory, config.filename)
  const libsql = await loadLibsql()
  let lock: FileLock | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new Error('it is a directory')
    if (!alongside) {
      lock = lockFile(libsql, file)
      if (lock === undefined) throw new OpenFailure([createInUseFault(config.filename)])
    }
    const writer = new LibsqlConnection(libsql.open(file), 'writer')
    const openReader = (): LibsqlConnection => new LibsqlConnection(libsql.open(file), 'reader')
    const reader = openReader()
    // The first read opens the log.
    reader.run(statement('select count(*) from sqlite_schema', true), [], true)
    checkFile(reader, file)
    return new FileDatabase({
      reader,
      openReader,
      openApart: () => ThreadReader.open(libsql.openAsync(file)),
      mostApart: MAX_THREADS,
      largeFrom,
      // An inspection beside a running server has no shorter limit.
      statementLimit: alongside ? LONG_TIMEOUT_MS : timeout,
      writer,
      log: openLog(file),
      place: new FilePlace(file),
      checkpoints: await openCheckpoints(libsql, file),
      lock,
      durability: config.durability,
      watch,
    })
  } catch (error) {
    lock?.release()
    if (error instanceof OpenFailure) throw error
    throw new OpenFailure([buildFault(config.filename, error)])
  }
}

async function openCheckpoints(libsql: LibsqlApi, file: string): Promise<Checkpoints> {
  const connection = libsql.openAsync(file)
  await connection.exec('pragma synchronous = full')
  return new Checkpoints(connection)
}

function checkFile(reader: LibsqlConnection, file: string): void {
  if (statSync(file).size > MAX_CHECKED_BYTES) return
  const [row] = reader.run(statement('pragma quick_check(1)', true), [], false)
  if (row?.[0] !== 'ok') throw new DamagedFile(String(row?.[0]))
}

class DamagedFile extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  SQLITE_READONLY: 'it or its directory may only be read',
  SQLITE_CANTOPEN: 'it cannot be opened: are the file and its directory there to be read and written?',
  SQLITE_FULL: 'the disk is full',
}

const place = { severity: 'error', path: ['database', 'filename'] } as const

function createInUseFault(name: string): Diagnostic {
  return {
    ...place,
    code: 'DBS031',
    message: `the database file "${name}" is in use by another process`,
    help: 'end that process, or give this one a file of its own; for several processes use `client: postgres`',
  }
}

function buildFault(name: string, error: unknown): Diagnostic {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = getCode(cause)
  const text = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof DamagedFile || /^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) {
    return {
      ...place,
      code: 'DBS032',
      message: `"${name}" is not a database, or is damaged: ${text}`,
      help: 'nothing was changed; put back a backup, or use another file',
    }
  }
  const reason = code.startsWith('SQLITE_BUSY')
    ? 'another program keeps it locked'
    : (REASONS[code.split('_').slice(0, 2).join('_')] ?? getReason(text))
  return { ...place, code: 'DBS030', message: `the database file "${name}" cannot be used: ${reason}` }
}

/** For a file that it cannot open, libsql reports only a number. */
function getReason(text: string): string {
  return /^ConnectionFailed\(.*: 14\b/.test(text) ? (REASONS['SQLITE_CANTOPEN'] ?? text) : text
}

type Opener<T> = new (path: string) => T

/** Loaded only when a file is opened, since memory databases do not need it. */
export async function loadLibsql(): Promise<LibsqlApi> {
  const [{ default: direct }, { default: apart }] = await Promise.all([
    import('libsql'),
    import('libsql/promise'),
  ])
  const Direct = direct as unknown as Opener<LibsqlDatabase>
  const Apart = apart as unknown as Opener<AsyncLibsqlDatabase>
  await startThreads((path) => new Apart(path), MAX_THREADS + 1)
  return { open: (path) => new Direct(path), openAsync: (path) => new Apart(path) }
}
