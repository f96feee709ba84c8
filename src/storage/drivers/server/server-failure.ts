// The failures of servers that every engine reports alike.

import { ApiError } from '../../../lib/errors/api-error.ts'

/** The server did not answer in time, and the connection is closed. */
export class ResponseTimeout extends Error {
  override name = 'Unanswered'
}

export class StatementTimeout extends Error {
  override name = 'StatementTimeout'
  readonly limit: number

  constructor(limit: number, cause: unknown) {
    super(`a statement took longer than ${limit} ms`, { cause })
    this.limit = limit
  }
}

/** Such a statement would take as long on another server. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof StatementTimeout
}

/** Milliseconds that the server may take beyond its own limit; after that, the connection counts as dead. */
export const GRACE_MS = 5000

export function createUnavailable(message: string, cause: unknown): ApiError {
  const error = new ApiError('ServiceUnavailableError', message, {}, { 'retry-after': '1' })
  error.cause = cause
  return error
}

export function createRefusal(message: string, cause: unknown): ApiError {
  const error = new ApiError('ValidationError', message)
  error.cause = cause
  return error
}
