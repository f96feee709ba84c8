// Explains why a PostgreSQL server cannot be used, never naming the password.

import type { Diagnostic, DiagnosticPath } from '../../../lib/errors/diagnostic.ts'
import { type Explanation, explainUnreachable } from '../server/unreachable.ts'
import { getCode } from './postgres-failure.ts'

export interface FaultPlace {
  readonly place: string
  readonly database: string | undefined
  readonly user: string | undefined
  readonly path: DiagnosticPath
}

/** PostgreSQL 12: older versions lack features that are used here. */
const MIN_VERSION = 120_000

export function connectFault(place: FaultPlace, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error)
  const [message, help] = sentences(place, getCode(error), reason)
  return { code: 'DBS020', severity: 'error', path: place.path, message, help }
}

function sentences(
  { place, database, user }: FaultPlace,
  code: string | undefined,
  reason: string,
): Explanation {
  const login = user === undefined ? 'the user' : `the user "${user}"`
  const unreachable = explainUnreachable(place, code)
  if (unreachable !== undefined) return unreachable
  switch (code) {
    case '28P01':
    case '28000':
      return [`the database server at ${place} does not let ${login} in`, 'correct user and password']
    case '3D000':
      return [
        `the database server at ${place} has no database "${database ?? user ?? ''}"`,
        'create it, or correct the name',
      ]
    case '42501':
      return [`${login} may not use the database at ${place}`, 'grant connect on it']
    case '53300':
      return [
        `the database server at ${place} takes no more connections`,
        'lower database.pool.max, raise max_connections, or put a pooler before it',
      ]
    case '57P03':
      return [`the database server at ${place} is still starting`, 'try again in a moment']
  }
  if (/SSL/.test(reason) || (code ?? '').includes('CERT') || (code ?? '').includes('SSL')) {
    return [
      `no encrypted connection to the database server at ${place}: ${reason}`,
      'check "ssl" of the connection: true, false, or { ca, cert, key, rejectUnauthorized }',
    ]
  }
  if (/timeout/i.test(reason)) {
    return [`the database server at ${place} does not answer in time`, 'check host, port and firewalls']
  }
  return [`the database at ${place} cannot be used: ${reason}`, 'check database.connection']
}

export function findServerFault(
  { place, path }: FaultPlace,
  version: number,
  encoding: string,
  recovering: boolean,
): Diagnostic | undefined {
  const fault = (code: string, message: string, help: string): Diagnostic => ({
    code,
    severity: 'error',
    path,
    message,
    help,
  })
  if (version < MIN_VERSION) {
    const shown = `${Math.floor(version / 10_000)}.${version % 10_000}`
    return fault(
      'DBS021',
      `the database server at ${place} is PostgreSQL ${shown}`,
      'use PostgreSQL 12 or newer',
    )
  }
  if (encoding !== 'UTF8') {
    return fault(
      'DBS021',
      `the database at ${place} keeps text as ${encoding}`,
      'create one with: create database … encoding UTF8 template template0',
    )
  }
  if (recovering) {
    return fault(
      'DBS022',
      `the database server at ${place} is a replica and takes no writes`,
      'connect to the primary; replicas belong under database.replicas',
    )
  }
  return undefined
}
