// Turns `database:` into the options of a connection, and lists the settings that every session must have.

import type { ConnectionOptions } from 'mysql2'
import type { DatabaseConfig, ServerAddress } from '../../../config/config.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { OpenFailure } from '../../database.ts'
import { command, LONG_TIMEOUT_MS, type SentStatement } from '../server/server-engine.ts'
import { COLLATIONS, type Product } from './mysql-dialect.ts'

export interface ConnectionSettings {
  readonly options: ConnectionOptions
  /** For messages: `db.example.com:3306`, without user and password. */
  readonly place: string
  readonly database: string
  readonly user: string | undefined
  /** The time limit of a statement, in milliseconds. */
  readonly timeout: number
  /** Milliseconds to wait for a connection. */
  readonly acquireTimeout: number
  readonly max: number
}

const INVALID: Diagnostic = {
  code: 'DBS020',
  severity: 'error',
  path: ['database', 'connection'],
  message: 'the connection names no host and no database that can be read',
  help: 'name both, mysql://user:password@host:3306/name',
}

interface MysqlAddress extends ServerAddress {
  /** Of a URL: a socket in the place of host and port. */
  readonly socketPath?: string
}

const MAX_PREPARED = 256

export function buildConnectionSettings(
  config: DatabaseConfig,
  connection: NonNullable<DatabaseConfig['connection']>,
  timeout: number,
): ConnectionSettings {
  const given: MysqlAddress = typeof connection === 'string' ? parseUrl(connection) : connection
  const { host = 'localhost', port = 3306, database, user, password, ssl, socketPath } = given
  if (database === undefined || database === '') throw new OpenFailure([INVALID])
  const acquireTimeout = Math.max(1, Math.min(timeout, config.pool.acquireTimeout))
  return {
    options: {
      ...(socketPath === undefined ? { host, port } : { socketPath }),
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(ssl !== undefined && ssl !== false && { ssl: ssl === true ? {} : { ...ssl } }),
      database,
      connectTimeout: acquireTimeout,
      charset: 'UTF8MB4_BIN',
      rowsAsArray: true,
      supportBigNumbers: true,
      decimalNumbers: true,
      dateStrings: true,
      jsonStrings: true,
      // Rows would otherwise be read by code made from the names of columns.
      disableEval: true,
      multipleStatements: false,
      // A server could ask for any file of this machine.
      flags: ['-LOCAL_FILES'],
      maxPreparedStatements: MAX_PREPARED,
      enableKeepAlive: true,
    },
    place: socketPath ?? `${host}:${port}`,
    database,
    user,
    timeout,
    acquireTimeout,
    max: config.pool.max,
  }
}

function parseUrl(text: string): MysqlAddress {
  if (!URL.canParse(text)) throw new OpenFailure([INVALID])
  const url = new URL(text)
  const [ssl, socketPath] = [url.searchParams.get('ssl'), url.searchParams.get('socket')]
  const part = (value: string): string | undefined => (value === '' ? undefined : decodeURIComponent(value))
  return Object.fromEntries(
    Object.entries({
      host: part(url.hostname),
      port: url.port === '' ? undefined : Number(url.port),
      database: part(url.pathname.slice(1)),
      user: part(url.username),
      password: part(url.password),
      ssl: ssl === null ? undefined : ssl !== 'false',
      socketPath: socketPath ?? undefined,
    }).filter(([, value]) => value !== undefined),
  )
}

/** `||` joins texts, a backslash is a character, and a value that does not fit is an error. */
const SQL_MODES = [
  'PIPES_AS_CONCAT',
  'NO_BACKSLASH_ESCAPES',
  'STRICT_ALL_TABLES',
  'NO_AUTO_VALUE_ON_ZERO',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'ONLY_FULL_GROUP_BY',
]

/** Bytes of a text that a sort compares. */
const MAX_SORT_LENGTH = 8192
/** Bytes of a list from which an element was taken. */
const MAX_LIST_LENGTH = 16_777_216

/** Reads are repeatable read unless a transaction says otherwise. */
export function buildSessionSettings(product: Product, timeout: number): readonly SentStatement[] {
  const settings = [
    `sql_mode = '${SQL_MODES.join()}'`,
    "time_zone = '+00:00'",
    'autocommit = 1',
    `max_sort_length = ${MAX_SORT_LENGTH}`,
    `group_concat_max_len = ${MAX_LIST_LENGTH}`,
    ...listTimeouts(product, timeout),
  ]
  return [
    command(`set names utf8mb4 collate ${COLLATIONS[product]}`),
    command(`set ${settings.join(', ')}`),
    command('set session transaction isolation level repeatable read'),
  ]
}

export function buildTimeouts(product: Product, timeout: number): SentStatement {
  return command(`set ${listTimeouts(product, timeout).join(', ')}`)
}

/** MySQL limits only queries; changes end with the wait for an answer. */
function listTimeouts(product: Product, timeout: number): readonly string[] {
  const seconds = Math.max(1, Math.ceil(Math.min(timeout, LONG_TIMEOUT_MS) / 1000))
  return [
    product === 'mariadb' ? `max_statement_time = ${timeout / 1000}` : `max_execution_time = ${timeout}`,
    `innodb_lock_wait_timeout = ${seconds}`,
  ]
}
