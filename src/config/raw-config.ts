// The types of the configuration as written, after the check of its shape and before normalization.

import type { RoleConfig, RoleConsoleConfig } from './auth-config.ts'
import type {
  ApiVersion,
  AttributeNames,
  DatabaseConfig,
  EntryCheckConfig,
  GeneratedRouteConfig,
  IndexedNames,
  LookConfig,
  OwnRouteConfig,
  RestConfig,
  RouteConfig,
} from './config.ts'
import type { RawTrouble } from './normalize-trouble.ts'
import type { CorsConfig, ServerConfig } from './server-config.ts'

export type RawMap<T = unknown> = Readonly<Record<string, T>>

export type RawAttribute = string | RawMap

export interface RawContentType {
  readonly renamedFrom?: string
  readonly kind?: 'collectionType' | 'singleType'
  readonly collectionName?: string
  readonly info?: RawMap<string>
  readonly options?: RawMap
  readonly pluginOptions?: RawMap
  readonly attributes: RawMap<RawAttribute>
  readonly unique?: readonly AttributeNames[]
  readonly index?: readonly IndexedNames[]
  readonly checks?: readonly EntryCheckConfig[]
  readonly concurrency?: 'optional' | 'required'
  readonly lifecycles?: string
  readonly rest?: {
    readonly only?: readonly string[]
    readonly except?: readonly string[]
    readonly cacheControl?: string
    readonly config?: RawMap<
      GeneratedRouteConfig | (Omit<GeneratedRouteConfig, 'auth'> & { readonly auth?: boolean })
    >
  }
}

export interface RawComponent {
  readonly renamedFrom?: string
  readonly collectionName?: string
  readonly info?: RawMap<string>
  readonly options?: RawMap
  readonly pluginOptions?: RawMap
  readonly attributes: RawMap<RawAttribute>
}

export interface RawProvider {
  readonly issuer: string
  readonly audience?: string | readonly string[]
  readonly roles?: string
  readonly defaultRole?: string
  readonly jwks?: string
  readonly console?: { readonly clientId: string; readonly clientSecret?: string; readonly label?: string }
}

export interface RawRate {
  readonly per?: 'caller' | 'address'
  readonly max: number
  readonly interval?: string | number
}

type Size = string | number
type Duration = string | number

export type FilledRest = Omit<RestConfig, 'cache'> & { readonly cache: Size }
export type FilledDatabase = Omit<DatabaseConfig, 'pool' | 'statementTimeout'> & {
  readonly pool: Omit<DatabaseConfig['pool'], 'acquireTimeout'> & { readonly acquireTimeout: Duration }
  readonly statementTimeout: Duration
}
type Limits = ServerConfig['limits']
export type FilledServer = Omit<ServerConfig, 'cors' | 'limits' | 'metrics' | 'workerTimeout'> & {
  readonly cors: Omit<CorsConfig, 'origin'> & { readonly origin: string | readonly string[] | false }
  readonly limits: Pick<
    Limits,
    'connections' | 'streams' | 'streamsPerAddress' | 'requests' | 'subscriptions'
  > &
    Readonly<Record<'body' | 'upload' | 'bodies' | 'unsent', Size>> &
    Readonly<Record<'requestTimeout' | 'bootstrap' | 'keepAlive' | 'drain' | 'eventLoopDelay', Duration>>
  readonly metrics: boolean | { readonly token?: string }
  readonly workerTimeout: Duration
}

type Partly<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Partly<T[K]> : T[K]
}

export type RawServer = Omit<Partly<FilledServer>, 'limits' | 'metrics' | 'trouble'> & {
  readonly limits?: Partly<FilledServer['limits']> & { readonly rate?: RawRate }
  readonly trouble?: RawTrouble
  readonly middlewares?: ServerConfig['middlewares']
  readonly metrics?: FilledServer['metrics']
}

export type RawRole = Partial<Omit<RoleConfig, 'extends' | 'console'>> & {
  readonly extends?: string | readonly string[]
  readonly console?: boolean | Partial<RoleConsoleConfig>
}

export interface RawApiToken {
  readonly name: string
  readonly description?: string
  readonly type?: 'read-only' | 'full-access' | 'custom'
  readonly permissions?: readonly string[]
  readonly token?: string | readonly string[]
  readonly tokenHash?: string | readonly string[]
  readonly expiresAt?: string | null
}

export interface RawConfig {
  readonly name?: string
  readonly description?: string
  readonly dialect?: ApiVersion
  readonly server?: RawServer
  readonly rest?: Partly<FilledRest>
  readonly database?: Omit<Partly<FilledDatabase>, 'connection'> & { readonly connection?: string | RawMap }
  readonly contentTypes: RawMap<RawContentType>
  readonly components?: RawMap<RawComponent>
  readonly plugins?: RawMap<
    boolean | { readonly enabled?: boolean; readonly config?: RawMap; readonly resolve?: string }
  >
  readonly auth?: {
    readonly roles?: RawMap<RawRole>
    readonly apiTokens?: readonly RawApiToken[]
    readonly users?: readonly RawMap[]
    readonly providers?: RawMap<RawProvider>
  }
  readonly graphql?: {
    readonly shadowCRUD?: RawMap
    readonly extensions?: readonly unknown[]
    readonly resolversConfig?: RawMap
  }
  readonly settings?: RawMap
  readonly services?: RawMap<string>
  readonly policies?: RawMap<string | { readonly cel: string }>
  readonly middlewares?: RawMap<string>
  readonly routes?: readonly (Omit<OwnRouteConfig, 'method' | 'auth'> & {
    readonly method?: OwnRouteConfig['method']
    readonly auth?: RouteConfig['auth'] | true
  })[]
  readonly extensions?: string
  readonly console?: boolean | { readonly edit?: boolean; readonly types?: RawMap<LookConfig> }
  readonly data?: string | RawMap<string | RawMap | readonly RawMap[]>
}
