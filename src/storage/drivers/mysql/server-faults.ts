// Explains why a MySQL or MariaDB server cannot be used, never naming the password.

import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { type Explanation, explainUnreachable } from '../server/unreachable.ts'
import type { Product } from './mysql-dialect.ts'
import { BusyPool, getCode } from './mysql-failure.ts'

export interface InspectedServer {
  readonly product: Product
  readonly version: string
}

interface FaultPlace {
  readonly place: string
  readonly database: string
  readonly user: string | undefined
}

/** The first versions with `json_table`, binary collations that keep trailing spaces, and casts to double. */
const MIN_VERSIONS = { mariadb: [10, 6, 0], mysql: [8, 0, 17] } as const

export const productNames = { mariadb: 'MariaDB', mysql: 'MySQL' } as const

export function parseVersion(text: string): InspectedServer {
  const version = /(\d+\.\d+\.\d+)-MariaDB/i.exec(text)?.[1]
  return version === undefined
    ? { product: 'mysql', version: /^\d+\.\d+\.\d+/.exec(text)?.[0] ?? text }
    : { product: 'mariadb', version }
}

export function findServerFault(
  { place }: FaultPlace,
  { product, version }: InspectedServer,
  isReadOnly: boolean,
): Diagnostic | undefined {
  const least = MIN_VERSIONS[product]
  const numbers = version.split('.').map(Number)
  const at = least.findIndex((number, index) => (numbers[index] ?? 0) !== number)
  if (at >= 0 && (numbers[at] ?? 0) < (least[at] ?? 0))
    return fault(
      'DBS021',
      `the database server at ${place} is ${productNames[product]} ${version}`,
      `use ${productNames.mariadb} ${MIN_VERSIONS.mariadb.join('.')} or ${productNames.mysql} ${MIN_VERSIONS.mysql.join('.')} or newer`,
    )
  if (isReadOnly)
    return fault('DBS022', `the database server at ${place} takes no writes`, 'connect to the primary')
  return undefined
}

export function connectFault(place: FaultPlace, error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error)
  const [message, help] = error instanceof BusyPool ? silent(place) : sentences(place, getCode(error), reason)
  return fault('DBS020', message, help)
}

function fault(code: string, message: string, help: string): Diagnostic {
  return { code, severity: 'error', path: ['database', 'connection'], message, help }
}

function silent({ place }: FaultPlace): Explanation {
  return [`the database server at ${place} does not answer in time`, 'check host, port and firewalls']
}

function sentences(whole: FaultPlace, code: string | undefined, reason: string): Explanation {
  const { place, database, user } = whole
  const login = user === undefined ? 'the user' : `the user "${user}"`
  const unreachable = explainUnreachable(place, code)
  if (unreachable !== undefined) return unreachable
  switch (code) {
    case 'ER_ACCESS_DENIED_ERROR':
      return [`the database server at ${place} does not let ${login} in`, 'correct user and password']
    case 'ER_DBACCESS_DENIED_ERROR':
      return [
        `${login} may not use the database "${database}" at ${place}`,
        `grant all on ${database}.* to the user`,
      ]
    case 'ER_BAD_DB_ERROR':
      return [
        `the database server at ${place} has no database "${database}"`,
        `create it: create database ${database}`,
      ]
    case 'ER_CON_COUNT_ERROR':
      return [
        `the database server at ${place} takes no more connections`,
        'lower database.pool.max, or raise max_connections',
      ]
  }
  if (/SSL|secure connection|certificate/i.test(reason) || (code ?? '').includes('CERT'))
    return [
      `no encrypted connection to the database server at ${place}: ${reason}`,
      'check "ssl" of the connection: true, false, or { ca, cert, key, rejectUnauthorized }',
    ]
  return [`the database at ${place} cannot be used: ${reason}`, 'check database.connection']
}
