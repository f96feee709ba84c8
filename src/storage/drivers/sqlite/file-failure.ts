// Maps errors of libsql to those of `storage/`: a fault of the disk is a 503 and is logged.

import { ApiError } from '../../../lib/errors/api-error.ts'
import { buildFailure } from './failure-of.ts'

/** SQLite's primary result codes, without prefix and extension (`IOERR` for `SQLITE_IOERR_FSYNC`). */
const messages: Readonly<Record<string, string>> = {
  BUSY: 'The database is busy',
  LOCKED: 'The database is busy',
  PROTOCOL: 'The database is busy',
  FULL: 'The database has no space left',
  NOMEM: 'The database has no memory left',
  READONLY: 'The database cannot be written to',
  PERM: 'The database cannot be written to',
  IOERR: 'The database file cannot be read or written',
  CANTOPEN: 'The database file cannot be read or written',
  CORRUPT: 'The database file is damaged',
  NOTADB: 'The database file is damaged',
}

export function getCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

export function buildFileFailure(error: unknown, statement: string): Error {
  const message = messages[getCode(error).split('_')[1] ?? '']
  return message === undefined ? buildFailure(error, statement) : createUnavailable(message, error)
}

export function createUnavailable(message: string, cause: unknown): ApiError {
  const error = new ApiError('ServiceUnavailableError', message, {}, { 'retry-after': '1' })
  error.cause = cause
  return error
}

export function isBusy(error: unknown): boolean {
  return error instanceof ApiError && getCode(error.cause).startsWith('SQLITE_BUSY')
}
