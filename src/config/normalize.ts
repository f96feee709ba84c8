// Turns the checked file into `Config`: expands shorthands and fills in defaults.

import { invariant } from '../lib/errors/invariant.ts'
import { isRecord } from '../lib/is-record.ts'
import { parseDuration, parseSize } from '../lib/parse-units.ts'
import type {
  ApiTokenConfig,
  AuthConfig,
  IdentityProviderConfig,
  RoleConfig,
  RoleConsoleConfig,
} from './auth-config.ts'
import type { Config, DatabaseConfig, OwnRouteConfig, PluginConfig } from './config.ts'
import { defaults } from './generated/defaults.ts'
import { getActionUid, getUid, normalizeComponent, normalizeContentType } from './normalize-content-type.ts'
import { normalizeTrouble } from './normalize-trouble.ts'
import type {
  FilledDatabase,
  FilledRest,
  FilledServer,
  RawApiToken,
  RawConfig,
  RawProvider,
  RawRate,
  RawRole,
  RawServer,
} from './raw-config.ts'
import type { ServerConfig } from './server-config.ts'

export interface Origin {
  readonly file: string | undefined
  readonly directory: string
}

/** `raw` must have passed `checkShape` and `checkRules`. */
export function normalize(
  raw: RawConfig,
  { data, fake }: Pick<Config, 'data' | 'fake'>,
  origin: Origin,
): Config {
  const { graphql = {} } = raw
  const rest = filled<FilledRest>(raw.rest, defaults.rest)
  return {
    ...origin,
    ...(raw.name !== undefined && { name: raw.name }),
    ...(raw.description !== undefined && { description: raw.description }),
    dialect: raw.dialect ?? defaults.dialect,
    server: normalizeServer(raw.server ?? {}),
    rest: { ...rest, cache: bytes(rest.cache) },
    database: normalizeDatabase(raw.database ?? {}),
    contentTypes: mapEntries(raw.contentTypes, (type, key) => [getUid(key), normalizeContentType(key, type)]),
    components: mapEntries(raw.components ?? {}, (component, key) => [
      key,
      normalizeComponent(key, component),
    ]),
    plugins: mapEntries(raw.plugins ?? {}, (plugin, name) => [name, normalizePlugin(plugin)]),
    ownPlugins: {},
    auth: normalizeAuth(raw.auth ?? {}),
    graphql: {
      shadowCRUD: graphql.shadowCRUD ?? {},
      extensions: graphql.extensions ?? [],
      resolversConfig: graphql.resolversConfig ?? {},
    },
    settings: raw.settings ?? {},
    services: raw.services ?? {},
    policies: raw.policies ?? {},
    middlewares: raw.middlewares ?? {},
    routes: (raw.routes ?? []).map(normalizeRoute),
    extensions: raw.extensions,
    console: normalizeConsole(raw.console),
    looks: (typeof raw.console === 'object' ? raw.console.types : undefined) ?? {},
    data,
    fake,
  }
}

function normalizeServer(raw: RawServer): ServerConfig {
  const { cors, log, limits: filledLimits, ...server } = filled<FilledServer>(raw, defaults.server)
  const { subscriptions, ...limits } = filledLimits
  const { origin } = cors
  const body = bytes(limits.body)
  return {
    host: server.host,
    port: server.port,
    publicUrl: raw.publicUrl,
    environment: server.environment,
    trustProxy: server.trustProxy,
    middlewares: raw.middlewares ?? [],
    workers: server.workers,
    workerTimeout: milliseconds(server.workerTimeout),
    cors: {
      ...cors,
      origin:
        typeof origin === 'string' && origin !== '*' ? [origin] : (origin as '*' | false | readonly string[]),
    },
    limits: {
      body,
      upload: bytes(limits.upload),
      // Large enough for several bodies of the maximum size.
      bodies:
        raw.limits?.bodies === undefined ? Math.max(bytes(limits.bodies), 4 * body) : bytes(limits.bodies),
      requestTimeout: milliseconds(limits.requestTimeout),
      bootstrap: milliseconds(limits.bootstrap),
      keepAlive: milliseconds(limits.keepAlive),
      drain: milliseconds(limits.drain),
      connections: limits.connections,
      unsent: bytes(limits.unsent),
      streams: limits.streams,
      streamsPerAddress: limits.streamsPerAddress,
      requests: limits.requests,
      rate: normalizeRate(raw.limits?.rate),
      subscriptions,
      eventLoopDelay: milliseconds(limits.eventLoopDelay),
    },
    trouble: raw.trouble === undefined ? undefined : normalizeTrouble(raw.trouble),
    metrics: normalizeMetrics(server.metrics),
    log: { level: log.level, format: log.format, requests: log.requests },
  }
}

function normalizeRate(rate: RawRate | undefined): ServerConfig['limits']['rate'] {
  if (rate === undefined) return undefined
  const { per, max, interval } = { ...defaults.server.limits.rate, ...rate }
  return { per, max, interval: milliseconds(interval) }
}

function normalizeMetrics(metrics: NonNullable<RawServer['metrics']>): ServerConfig['metrics'] {
  if (metrics === false) return undefined
  return { token: metrics === true ? undefined : metrics.token }
}

function normalizeConsole(raw: RawConfig['console']): Config['console'] {
  if (typeof raw !== 'object') return raw
  // `types` alone does not open the console to other machines.
  return raw.edit === undefined && raw.types !== undefined ? undefined : { edit: raw.edit ?? false }
}

function normalizeRoute({
  method = 'GET',
  auth,
  permission,
  ...rest
}: NonNullable<RawConfig['routes']>[number]): OwnRouteConfig {
  return {
    method,
    ...rest,
    ...(auth === undefined || auth === true ? {} : { auth }),
    ...(permission !== undefined && { permission: getActionUid(permission) }),
  }
}

function normalizeDatabase(raw: NonNullable<RawConfig['database']>): DatabaseConfig {
  const { client, durability, pool, statementTimeout, pooler, replicas, migrations } = filled<FilledDatabase>(
    raw,
    defaults.database,
  )
  return {
    client,
    filename: raw.filename,
    durability,
    connection: raw.connection,
    schema: raw.schema,
    pool: { ...pool, acquireTimeout: milliseconds(pool.acquireTimeout) },
    statementTimeout: milliseconds(statementTimeout),
    pooler,
    replicas,
    migrations,
  }
}

function normalizePlugin(raw: NonNullable<RawConfig['plugins']>[string]): PluginConfig {
  if (typeof raw === 'boolean') return { enabled: raw, config: {} }
  const { enabled = true, config = {}, resolve } = raw
  return { enabled, config, ...(resolve !== undefined && { resolve }) }
}

function normalizeAuth({
  roles = {},
  apiTokens = [],
  users = [],
  providers = {},
}: NonNullable<RawConfig['auth']>): AuthConfig {
  return {
    roles: mapEntries(roles, (role, type) => [type, normalizeRole(type, role)]),
    apiTokens: apiTokens.map(normalizeToken),
    users,
    providers: mapEntries(providers, (provider, name) => [name, normalizeProvider(name, provider)]),
  }
}

function normalizeProvider(
  name: string,
  { issuer, audience = [], roles, defaultRole = 'authenticated', jwks, console }: RawProvider,
): IdentityProviderConfig {
  return {
    ...{ issuer, audience: [audience].flat(), roles, defaultRole, jwks },
    console: console && {
      clientId: console.clientId,
      clientSecret: console.clientSecret,
      label: console.label ?? nameOfRole(name),
    },
  }
}

export function nameOfRole(type: string): string {
  return type.slice(0, 1).toUpperCase() + type.slice(1)
}

function normalizeRole(type: string, { name, description, permissions, ...raw }: RawRole): RoleConfig {
  const extended = raw.extends
  return {
    ...(extended !== undefined && { extends: typeof extended === 'string' ? [extended] : extended }),
    name: name ?? nameOfRole(type),
    description: description ?? '',
    permissions: permissions ?? [],
    ...(raw.console !== undefined && raw.console !== false && { console: normalizeRoleConsole(raw.console) }),
  }
}

function normalizeRoleConsole(raw: NonNullable<RawRole['console']>): RoleConsoleConfig {
  const { pages, types } = typeof raw === 'object' ? raw : {}
  return { pages, types }
}

function normalizeToken(raw: RawApiToken): ApiTokenConfig {
  return { ...raw, type: raw.type ?? 'read-only' }
}

/** Keeps values of `null`. */
function filled<T>(raw: unknown, otherwise: unknown): T {
  if (!isRecord(otherwise) || (raw !== undefined && !isRecord(raw)))
    return (raw === undefined ? otherwise : raw) as T
  const given = isRecord(raw) ? raw : {}
  return Object.fromEntries(
    [...new Set([...Object.keys(otherwise), ...Object.keys(given)])].map((name) => [
      name,
      filled(given[name], otherwise[name]),
    ]),
  ) as T
}

function mapEntries<T, U>(
  map: Readonly<Record<string, T>>,
  change: (value: T, key: string) => readonly [string, U],
): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => change(value, key)))
}

function milliseconds(value: string | number): number {
  const parsed = parseDuration(value)
  invariant(parsed !== undefined, 'a duration that the schema let pass')
  return parsed
}

function bytes(value: string | number): number {
  const parsed = parseSize(value)
  invariant(parsed !== undefined, 'a size that the schema let pass')
  return parsed
}
