// Maps SQLite's errors to those of `storage/`, without SQL in messages.

import { ApiError } from '../../../lib/errors/api-error.ts'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import { StatementFailure, TOO_COMPLEX, UniqueViolation } from '../../database.ts'

/** `UNIQUE constraint failed: articles.slug, articles.locale`. Names come from the layout, without dots and commas. */
const UNIQUE = /^UNIQUE constraint failed: (.+)$/

/** SQLite's depth limit is only found by trying: it counts subqueries after rewriting them. */
const TOO_DEEP =
  /^(?:VIEWs and\/or subqueries nested too deep|Expression tree is too large|parser stack overflow)/

export function buildFailure(error: unknown, statement: string): Error {
  // sql.js throws its own errors as plain strings.
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof InvariantError) return error
  const unique = UNIQUE.exec(reason)?.[1]
  if (unique !== undefined) {
    const names = unique.split(', ').map((name) => name.split('.'))
    return new UniqueViolation(
      names[0]?.[0] ?? '',
      names.map((name) => name[1] ?? ''),
    )
  }
  if (TOO_DEEP.test(reason)) return new ApiError('ValidationError', TOO_COMPLEX)
  if (reason.startsWith('FOREIGN KEY constraint failed')) {
    return new StatementFailure('foreign-key', reason, statement)
  }
  const kind = /constraint failed|cannot store/.test(reason) ? 'constraint' : 'other'
  return new StatementFailure(kind, reason, statement)
}
