// Turns the checked file into Config: expands shorthands and fills in defaults. Seed entries are already resolved.

import { invariant } from '../errors/invariant.ts'
import { parseDuration, parseSize } from '../util/parse-units.ts'
import type { ApiTokenConfig, AuthConfig, RoleConfig } from './auth-config.ts'
import type { Config, DatabaseConfig, OwnRouteConfig, PluginConfig, ServerConfig } from './config.ts'
import { normalizeComponent, normalizeContentType, uidOf } from './normalize-content-type.ts'
import { normalizeTrouble } from './normalize-trouble.ts'
import type { RawApiToken, RawConfig, RawMap, RawRate, RawRole, RawServer } from './raw-config.ts'

/** Where the configuration came from. */
export interface Origin {
  readonly file: string | undefined
  readonly directory: string
}

/** Pure; `raw` must have passed `checkShape` and `checkRules`. */
export function normalize(
  raw: RawConfig,
  { data, fake }: Pick<Config, 'data' | 'fake'>,
  origin: Origin,
): Config {
  const { rest = {}, graphql = {} } = raw
  return {
    ...origin,
    ...(raw.name !== undefined && { name: raw.name }),
    ...(raw.description !== undefined && { description: raw.description }),
    dialect: raw.dialect ?? 'strapi-4',
    server: normalizeServer(raw.server ?? {}),
    rest: {
      prefix: rest.prefix ?? '/api',
      defaultLimit: rest.defaultLimit ?? 25,
      maxLimit: rest.maxLimit === undefined ? 100 : rest.maxLimit,
      withCount: rest.withCount ?? true,
      strict: rest.strict ?? true,
      strictRelations: rest.strictRelations ?? false,
      publicDrafts: rest.publicDrafts ?? true,
      cache: bytes(rest.cache ?? '64mb'),
      compression: rest.compression ?? true,
      limits: {
        cost: rest.limits?.cost ?? 80_000,
        writeRows: rest.limits?.writeRows ?? 10_000,
        scanWarning: rest.limits?.scanWarning === undefined ? 20_000 : rest.limits.scanWarning,
      },
    },
    database: normalizeDatabase(raw.database ?? {}),
    contentTypes: mapEntries(raw.contentTypes, (type, key) => [uidOf(key), normalizeContentType(key, type)]),
    components: mapEntries(raw.components ?? {}, (component, key) => [
      key,
      normalizeComponent(key, component),
    ]),
    plugins: mapEntries(raw.plugins ?? {}, (plugin, name) => [name, normalizePlugin(plugin)]),
    auth: normalizeAuth(raw.auth ?? {}),
    graphql: {
      shadowCRUD: graphql.shadowCRUD ?? {},
      extensions: graphql.extensions ?? [],
      resolversConfig: graphql.resolversConfig ?? {},
    },
    policies: raw.policies ?? {},
    middlewares: raw.middlewares ?? {},
    routes: (raw.routes ?? []).map(normalizeRoute),
    extensions: raw.extensions,
    console: normalizeConsole(raw.console),
    data,
    fake,
  }
}

function normalizeServer(raw: RawServer): ServerConfig {
  const { cors = {}, log = {} } = raw
  const { rate, subscriptions, ...others } = raw.limits ?? {}
  // The schema allows texts and numbers for the others.
  const limits = others as RawMap<string | number>
  const { origin = '*' } = cors
  const body = bytes(limits['body'] ?? '1mb')
  return {
    host: raw.host ?? '127.0.0.1',
    port: raw.port ?? 1337,
    publicUrl: raw.publicUrl,
    environment: raw.environment ?? 'development',
    trustProxy: raw.trustProxy ?? false,
    workers: raw.workers ?? 1,
    workerTimeout: milliseconds(raw.workerTimeout ?? '30s'),
    cors: {
      origin:
        typeof origin === 'string' && origin !== '*' ? [origin] : (origin as '*' | false | readonly string[]),
      methods: cors.methods ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
      headers: cors.headers ?? ['Content-Type', 'Authorization', 'Origin', 'Accept'],
      credentials: cors.credentials ?? false,
      maxAge: cors.maxAge ?? 600,
    },
    limits: {
      body,
      upload: bytes(limits['upload'] ?? '200mb'),
      bodies: limits['bodies'] === undefined ? defaultBodies(body) : bytes(limits['bodies']),
      requestTimeout: milliseconds(limits['requestTimeout'] ?? '30s'),
      bootstrap: milliseconds(limits['bootstrap'] ?? '60s'),
      keepAlive: milliseconds(limits['keepAlive'] ?? '10s'),
      drain: milliseconds(limits['drain'] ?? '10s'),
      connections: limits['connections'] === undefined ? undefined : Number(limits['connections']),
      unsent: bytes(limits['unsent'] ?? '40mb'),
      streams: limits['streams'] === undefined ? undefined : Number(limits['streams']),
      streamsPerAddress:
        limits['streamsPerAddress'] === undefined ? undefined : Number(limits['streamsPerAddress']),
      requests: Number(limits['requests'] ?? 2000),
      rate: normalizeRate(rate as RawRate | undefined),
      subscriptions: {
        ...SUBSCRIPTIONS,
        ...(subscriptions as Partial<ServerConfig['limits']['subscriptions']>),
      },
      eventLoopDelay: milliseconds(limits['eventLoopDelay'] ?? '2s'),
    },
    trouble: raw.trouble === undefined ? undefined : normalizeTrouble(raw.trouble),
    metrics: normalizeMetrics(raw.metrics ?? false),
    log: { level: log.level ?? 'info', format: log.format, requests: log.requests },
  }
}

const SUBSCRIPTIONS: ServerConfig['limits']['subscriptions'] = {
  connection: 100,
  caller: 1000,
  server: 10_000,
}

function normalizeRate(rate: RawRate | undefined): ServerConfig['limits']['rate'] {
  if (rate === undefined) return undefined
  const { per = 'caller', max, interval = '1min' } = rate
  return { per, max, interval: milliseconds(interval) }
}

function normalizeMetrics(metrics: NonNullable<RawServer['metrics']>): ServerConfig['metrics'] {
  if (metrics === false) return undefined
  return { token: metrics === true ? undefined : metrics.token }
}

function normalizeConsole(raw: RawConfig['console']): Config['console'] {
  return typeof raw === 'object' ? { edit: raw.edit ?? false } : raw
}

/** Large enough for several bodies of the largest size. */
function defaultBodies(body: number): number {
  return Math.max(bytes('32mb'), 4 * body)
}

function normalizeRoute({
  method = 'GET',
  auth,
  ...rest
}: NonNullable<RawConfig['routes']>[number]): OwnRouteConfig {
  return { method, ...rest, ...(auth === undefined || auth === true ? {} : { auth }) }
}

function normalizeDatabase(raw: NonNullable<RawConfig['database']>): DatabaseConfig {
  return {
    client: raw.client ?? 'memory',
    filename: raw.filename,
    durability: raw.durability ?? 'full',
    connection: raw.connection,
    schema: raw.schema,
    pool: {
      min: raw.pool?.min ?? 0,
      max: raw.pool?.max ?? 10,
      acquireTimeout: milliseconds(raw.pool?.acquireTimeout ?? '5s'),
    },
    statementTimeout: milliseconds(raw.statementTimeout ?? '10s'),
    pooler: raw.pooler ?? false,
    replicas: raw.replicas ?? [],
    migrations: { destructive: raw.migrations?.destructive ?? 'refuse' },
  }
}

function normalizePlugin(raw: NonNullable<RawConfig['plugins']>[string]): PluginConfig {
  if (typeof raw === 'boolean') return { enabled: raw, config: {} }
  return { enabled: raw.enabled ?? true, config: raw.config ?? {} }
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
    providers: mapEntries(providers, ({ audience, defaultRole = 'authenticated', ...provider }, name) => [
      name,
      { ...provider, roles: provider.roles, jwks: provider.jwks, audience: [audience].flat(), defaultRole },
    ]),
  }
}

/** `public` -> `Public`. */
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
  }
}

function normalizeToken(raw: RawApiToken): ApiTokenConfig {
  return { ...raw, type: raw.type ?? 'read-only' }
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
