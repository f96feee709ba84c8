// Turns `database:` into the options of `pg`. A pooler shares sessions, so there each transaction sends the
// settings.

import type { PoolConfig } from 'pg'
import type { DatabaseConfig } from '../../../config/config.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { OpenFailure } from '../../database.ts'

export interface ConnectionSettings {
  readonly pool: PoolConfig
  /** For messages: `db.example.com:5432`, without user and password. */
  readonly place: string
  readonly database: string | undefined
  readonly user: string | undefined
  readonly schema: string
  /** The time limit of a statement, in milliseconds. */
  readonly timeout: number
  /** Whether sessions are shared: then there are no named statements, and settings last for one transaction. */
  readonly pooler: boolean
  readonly max: number
}

/** Milliseconds beyond a statement's own time that a transaction may stay idle before the server ends it. */
const IDLE_IN_TRANSACTION_MS = 5000
/** Milliseconds after which an idle connection above `pool.min` is closed. */
const IDLE_MS = 30_000

const INVALID_URL: Diagnostic = {
  code: 'DBS020',
  severity: 'error',
  path: ['database'],
  message: 'the connection URL has no host and port that can be read',
  help: 'name one host, postgres://user:password@host:5432/name; an address of several servers is that of a proxy or balancer',
}

export function buildConnectionSettings(
  config: DatabaseConfig,
  connection: NonNullable<DatabaseConfig['connection']>,
  timeout: number,
): ConnectionSettings {
  const schema = config.schema ?? 'public'
  const { pooler } = config
  const options = pooler ? [] : sessionOptions(schema, timeout)
  const common: PoolConfig = {
    min: config.pool.min,
    max: config.pool.max,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: Math.max(1, Math.min(timeout, config.pool.acquireTimeout)),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'cms-run',
  }
  const about = { schema, timeout, pooler, max: config.pool.max }
  if (typeof connection === 'string') {
    if (!URL.canParse(connection)) throw new OpenFailure([INVALID_URL])
    const url = new URL(connection)
    const own = url.searchParams.get('options')
    url.searchParams.delete('options')
    if (own !== null) options.push(own)
    const pool = { ...common, connectionString: url.toString(), ...buildOptions(options) }
    const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
    return {
      ...about,
      pool,
      place: getPlace(host, url.port),
      database: decodeURIComponent(url.pathname.slice(1)) || undefined,
      user: decodeURIComponent(url.username) || undefined,
    }
  }
  const { host, port, database, user, password, ssl } = connection
  const given = { host, port, database, user, password, ssl }
  const pool = { ...common, ...defined(given), ...buildOptions(options) }
  return { ...about, pool, place: getPlace(host ?? 'localhost', port), database, user }
}

/** Every statement relies on these settings. Reads outside a transaction are consistent and read-only. */
function sessionOptions(schema: string, timeout: number): string[] {
  const settings = {
    search_path: `"${schema}"`,
    statement_timeout: String(timeout),
    idle_in_transaction_session_timeout: String(timeout + IDLE_IN_TRANSACTION_MS),
    default_transaction_isolation: 'repeatable\\ read',
    default_transaction_read_only: 'on',
    timezone: 'UTC',
    datestyle: 'ISO',
    extra_float_digits: '1',
    // With JIT, a rule of many conditions took seconds to compile for a table of ten rows.
    jit: 'off',
  }
  return Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
}

export function buildTransactionSettings({ schema, timeout }: ConnectionSettings): string {
  const path = `"${schema}"`
  return `select set_config('search_path', '${path}', true), set_config('statement_timeout', '${timeout}', true), set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true), set_config('extra_float_digits', '1', true), set_config('jit', 'off', true)`
}

function buildOptions(options: readonly string[]): { readonly options?: string } {
  return options.length === 0 ? {} : { options: options.join(' ') }
}

function getPlace(host: string, port: string | number | undefined): string {
  if (host.startsWith('/')) return host
  return `${host === '' ? 'localhost' : host}:${port === undefined || port === '' ? 5432 : port}`
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}
