// Applies flags and environment variables that override the file.

import type { Report } from '../lib/errors/diagnostic.ts'
import type { Environment } from './interpolate-env.ts'
import type { RawConfig, RawServer } from './raw-config.ts'
import type { Environment as Name } from './server-config.ts'

export interface Overrides {
  readonly host?: string
  readonly port?: number
  readonly environment?: Name
  readonly workers?: number
  /** With another `client`, the file's settings for its own client are dropped. */
  readonly database?: { readonly [K in keyof RawDatabase]?: RawDatabase[K] | undefined }
}

const names: readonly string[] = ['development', 'staging', 'production'] satisfies Name[]

/**
 * Flags override the environment, which overrides the file. NODE_ENV counts only if it names one of our environments.
 */
export function applyOverrides(
  raw: RawConfig,
  overrides: Overrides,
  env: Environment,
  report: Report,
): RawConfig {
  const { HOST, PORT, NODE_ENV } = env
  const fromEnv: { -readonly [K in keyof RawServer]: RawServer[K] } = {}
  if (HOST) fromEnv.host = HOST
  if (isName(NODE_ENV)) fromEnv.environment = NODE_ENV
  if (PORT) {
    const port = /^\d{1,5}$/.test(PORT) ? Number(PORT) : undefined
    if (port !== undefined && port <= 65_535) fromEnv.port = port
    else if (overrides.port === undefined) {
      const message = 'the environment variable PORT is not a port number (0 to 65535)'
      report({ code: 'CFG043', severity: 'error', path: ['server', 'port'], message })
    }
  }
  const { host, port, environment, workers } = overrides
  const fromFlags = { host, port, environment, workers }
  const given = Object.fromEntries(Object.entries(fromFlags).filter(([, value]) => value !== undefined))
  return {
    ...raw,
    server: { ...raw.server, ...fromEnv, ...given },
    ...(overrides.database === undefined
      ? {}
      : { database: otherDatabase(raw.database ?? {}, overrides.database) }),
  }
}

type RawDatabase = NonNullable<RawConfig['database']>

function otherDatabase(raw: RawDatabase, given: NonNullable<Overrides['database']>): RawDatabase {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  if (given.client === undefined || given.client === raw.client) return { ...raw, ...set }
  const { filename: _filename, connection: _connection, ...others } = raw
  return { ...others, ...set }
}

function isName(text: string | undefined): text is Name {
  return text !== undefined && names.includes(text)
}
