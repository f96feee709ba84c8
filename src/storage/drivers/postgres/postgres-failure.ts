// Maps PostgreSQL's errors to those of `storage/`, and decides about retries. Messages contain no SQL and no
// password.

import { ApiError } from '../../../lib/errors/api-error.ts'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import { StatementFailure, TOO_COMPLEX, UniqueViolation } from '../../database.ts'
import type { FailureKind } from '../server/server-engine.ts'
import {
  createRefusal,
  createUnavailable,
  ResponseTimeout,
  StatementTimeout,
} from '../server/server-failure.ts'

/** Serialization failure, deadlock, unique or foreign key violated by a concurrent transaction. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '23503'])
/** Shut down by an operator, crashed, starting, in recovery, too many connections, idle for too long. */
const LOST: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25006'])
const UNSUPPORTED = '0A000'
/** A prepared statement is missing, or another one already has its name. */
const STALE: ReadonlySet<string> = new Set(['26000', '42P05'])

export function getCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function getFailureKind(error: unknown): FailureKind {
  if (!(error instanceof Error) || error instanceof InvariantError || error instanceof ApiError) return 'none'
  if (error instanceof ResponseTimeout) return 'silent'
  if (BUSY_MESSAGE.test(error.message)) return 'none'
  const code = getCode(error)
  if (code === undefined) return LOST_MESSAGE.test(error.message) ? 'lost' : 'none'
  if (CONFLICTS.has(code)) return 'conflict'
  if (LOST.has(code) || code.startsWith('08') || isSystemError(code)) return 'lost'
  if (STALE.has(code)) return 'stale'
  if (code !== UNSUPPORTED) return 'none'
  // A standby that is not promoted yet refuses `begin read write`; the next connection may lead to a primary.
  if (/during recovery/.test(error.message)) return 'lost'
  return /cached plan/.test(error.message) ? 'stale' : 'none'
}

function isSystemError(code: string): boolean {
  return /^E[A-Z_]{3,}$/.test(code)
}

/** `pg` reports these without a code. */
const LOST_MESSAGE = /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/
const BUSY_MESSAGE = /^(?:timeout exceeded|Connection terminated due to connection timeout)/

const OUT_OF_RANGE: ReadonlySet<string> = new Set(['22003', '22007', '22008'])

export function buildFailure(error: unknown, statement: string): unknown {
  if (!(error instanceof Error) || error instanceof InvariantError || error instanceof ApiError) return error
  const code = getCode(error)
  if (BUSY_MESSAGE.test(error.message)) return createUnavailable('The database is busy', error)
  if (error instanceof ResponseTimeout)
    return createUnavailable('The database took too long to answer', error)
  if (error instanceof StatementTimeout) {
    return createUnavailable(`The query took longer than ${error.limit} ms`, error)
  }
  if (getFailureKind(error) === 'lost') return createUnavailable('The database cannot be reached', error)
  switch (code) {
    case '23505':
      return new UniqueViolation(formatText(error, 'table'), keyColumns(formatText(error, 'detail')))
    case '23503':
      return new StatementFailure('foreign-key', error.message, statement, code)
    case '40001':
    case '40P01':
      return createUnavailable('Too many changes of the same entries at the same time', error)
    case '55P03':
    case '57014':
      return createUnavailable('The database took too long to answer', error)
    case '53100':
      return createUnavailable('The database has no space left', error)
    case '53200':
      return createUnavailable('The database has no memory left', error)
    case '54001':
      return createRefusal(TOO_COMPLEX, error)
    case '54000':
      return createRefusal('A value is too long to be unique or indexed', error)
  }
  if (code !== undefined && OUT_OF_RANGE.has(code)) return createRefusal('A value is out of range', error)
  return new StatementFailure(
    code?.startsWith('23') === true ? 'constraint' : 'other',
    error.message,
    statement,
    code,
  )
}

function formatText(error: Error, key: 'table' | 'detail'): string {
  const value = (error as unknown as Readonly<Record<string, unknown>>)[key]
  return typeof value === 'string' ? value : ''
}

/** Parses `Key (name, locale)=(…) already exists.`, in any language. */
function keyColumns(detail: string): readonly string[] {
  const names = /\(([^()]*)\)=\(/.exec(detail)?.[1]
  return names === undefined ? [] : names.split(', ').map((name) => name.replace(/^"(.*)"$/, '$1'))
}
