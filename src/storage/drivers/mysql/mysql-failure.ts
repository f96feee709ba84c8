// Maps the errors of MySQL and MariaDB to those of `storage/`, and decides about retries. Messages contain no SQL and no
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

/** Errors by the server's number. */
const DUPLICATE = 1062
const FOREIGN_KEYS: ReadonlySet<number> = new Set([1216, 1217, 1451, 1452])
/** Deadlock; changed since the last read. */
const CONFLICTS: ReadonlySet<number> = new Set([1213, 1020])
/** Too many connections, shutting down, killed, read-only since a failover. */
const LOST: ReadonlySet<number> = new Set([1040, 1053, 1077, 1203, 1290, 1836, 1927, 4031])
/** To be prepared again; not prepared; the table was changed since the transaction began. */
const STALE: ReadonlySet<number> = new Set([1615, 1243, 1412])
/** Of a statement; of its wait for a lock. */
const TIMEOUTS: ReadonlySet<number> = new Set([1969, 3024, 1205])
const OUT_OF_RANGE: ReadonlySet<number> = new Set([1264, 1365, 1406, 1690])
/** Null, a condition. */
const CONSTRAINTS: ReadonlySet<number> = new Set([1048, 1364, 4025, 3819])
/** A table, column or index is there already, or is not there any more. */
const DEFINED: ReadonlySet<number> = new Set([1050, 1051, 1054, 1060, 1061, 1091, 1146])
/** Tables in a join, the stack, placeholders, levels, names. */
const COMPLEX: ReadonlySet<number> = new Set([1116, 1119, 1436, 1390, 1473, 4002])
const FULL: ReadonlySet<number> = new Set([1021, 1030, 1114])
const MEMORY: ReadonlySet<number> = new Set([1037, 1038, 1041])
const TOO_LONG: ReadonlySet<number> = new Set([1071, 1153, 1301])

/** A unique index refused a write; which one it is, was looked up. */
export class DuplicateKey extends Error {
  override name = 'DuplicateKey'
  readonly table: string
  readonly columns: readonly string[]

  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`duplicate key of ${table}`, { cause })
    this.table = table
    this.columns = columns
  }
}

/** The pool had no connection in time. */
export class BusyPool extends Error {
  override name = 'BusyPool'
}

export function getNumber(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errno' in error)) return undefined
  return typeof error.errno === 'number' ? error.errno : undefined
}

export function getCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function getFailureKind(error: unknown): FailureKind {
  if (!(error instanceof Error) || error instanceof InvariantError || error instanceof ApiError) return 'none'
  if (error instanceof DuplicateKey) return 'conflict'
  if (error instanceof ResponseTimeout) return 'silent'
  if (error instanceof BusyPool) return 'none'
  const number = getNumber(error)
  if (number !== undefined && number > 0) {
    if (CONFLICTS.has(number) || FOREIGN_KEYS.has(number)) return 'conflict'
    if (LOST.has(number)) return 'lost'
    if (STALE.has(number)) return 'stale'
  }
  const code = getCode(error) ?? ''
  return code === 'PROTOCOL_CONNECTION_LOST' || /^E[A-Z]{3,}$/.test(code) ? 'lost' : 'none'
}

export function buildFailure(error: unknown, statement: string): unknown {
  if (!(error instanceof Error) || error instanceof InvariantError || error instanceof ApiError) return error
  if (error instanceof DuplicateKey) return new UniqueViolation(error.table, error.columns)
  if (error instanceof BusyPool) return createUnavailable('The database is busy', error)
  if (error instanceof ResponseTimeout)
    return createUnavailable('The database took too long to answer', error)
  if (error instanceof StatementTimeout)
    return createUnavailable(`The query took longer than ${error.limit} ms`, error)
  if (getFailureKind(error) === 'lost') return createUnavailable('The database cannot be reached', error)
  const number = getNumber(error) ?? 0
  if (CONFLICTS.has(number))
    return createUnavailable('Too many changes of the same entries at the same time', error)
  if (TIMEOUTS.has(number) || number === 1317)
    return createUnavailable('The database took too long to answer', error)
  if (FULL.has(number)) return createUnavailable('The database has no space left', error)
  if (MEMORY.has(number)) return createUnavailable('The database has no memory left', error)
  if (COMPLEX.has(number)) return createRefusal(TOO_COMPLEX, error)
  if (TOO_LONG.has(number)) return createRefusal('A value is too long', error)
  if (OUT_OF_RANGE.has(number)) return createRefusal('A value is out of range', error)
  const kind = getKind(number)
  return new StatementFailure(kind, error.message, statement, getCode(error))
}

function getKind(number: number): StatementFailure['kind'] {
  if (FOREIGN_KEYS.has(number)) return 'foreign-key'
  if (DEFINED.has(number)) return 'defined'
  return CONSTRAINTS.has(number) ? 'constraint' : 'other'
}

export function isDuplicate(error: unknown): boolean {
  return getNumber(error) === DUPLICATE
}

export function isTimeout(error: unknown): boolean {
  return TIMEOUTS.has(getNumber(error) ?? 0)
}
