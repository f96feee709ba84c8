// The types of the configuration as written in the file, after the check of its shape and before normalization.

import type { RoleConfig } from './auth-config.ts'
import type {
  AttributeNames,
  DatabaseConfig,
  DialectName,
  EntryCheckConfig,
  Environment,
  IndexedNames,
  OwnRouteConfig,
  RouteConfig,
} from './config.ts'
import type { RawTrouble } from './normalize-trouble.ts'

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
  readonly rest?: {
    readonly only?: readonly string[]
    readonly except?: readonly string[]
    readonly cacheControl?: string
    readonly config?: RawMap<RouteConfig | (Omit<RouteConfig, 'auth'> & { readonly auth?: boolean })>
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
  readonly audience: string | readonly string[]
  readonly roles?: string
  readonly defaultRole?: string
  readonly jwks?: string
}

export interface RawRate {
  readonly per?: 'caller' | 'address'
  readonly max: number
  readonly interval?: string | number
}

export interface RawServer {
  readonly host?: string
  readonly port?: number
  readonly publicUrl?: string
  readonly environment?: Environment
  readonly trustProxy?: false | number | readonly string[]
  readonly workers?: number
  readonly workerTimeout?: string | number
  readonly cors?: {
    readonly origin?: string | readonly string[] | false
    readonly methods?: readonly string[]
    readonly headers?: readonly string[]
    readonly credentials?: boolean
    readonly maxAge?: number
  }
  readonly limits?: RawMap<string | number | RawRate | RawMap<number>>
  readonly trouble?: RawTrouble
  readonly metrics?: boolean | { readonly token?: string }
  readonly log?: {
    readonly level?: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
    readonly format?: 'pretty' | 'json'
    readonly requests?: boolean | number
  }
}

export type RawRole = Partial<Omit<RoleConfig, 'extends'>> & { readonly extends?: string | readonly string[] }

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
  readonly dialect?: DialectName
  readonly server?: RawServer
  readonly rest?: {
    readonly prefix?: string
    readonly defaultLimit?: number
    readonly maxLimit?: number | null
    readonly withCount?: boolean
    readonly strict?: boolean
    readonly strictRelations?: boolean
    readonly publicDrafts?: boolean
    readonly cache?: string | number
    readonly compression?: boolean
    readonly limits?: {
      readonly cost?: number
      readonly writeRows?: number
      readonly scanWarning?: number | null
    }
  }
  readonly database?: {
    readonly client?: DatabaseConfig['client']
    readonly filename?: string
    readonly durability?: 'full' | 'normal'
    readonly connection?: string | RawMap
    readonly schema?: string
    readonly pool?: {
      readonly min?: number
      readonly max?: number
      readonly acquireTimeout?: string | number
    }
    readonly statementTimeout?: string | number
    readonly pooler?: boolean
    readonly replicas?: readonly string[]
    readonly migrations?: { readonly destructive?: 'refuse' | 'apply' }
  }
  readonly contentTypes: RawMap<RawContentType>
  readonly components?: RawMap<RawComponent>
  readonly plugins?: RawMap<boolean | { readonly enabled?: boolean; readonly config?: RawMap }>
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
  readonly policies?: RawMap<string | { readonly cel: string }>
  readonly middlewares?: RawMap<string>
  readonly routes?: readonly (Omit<OwnRouteConfig, 'method' | 'auth'> & {
    readonly method?: OwnRouteConfig['method']
    readonly auth?: RouteConfig['auth'] | true
  })[]
  readonly extensions?: string
  readonly console?: boolean | { readonly edit?: boolean }
  readonly data?: string | RawMap<string | RawMap | readonly RawMap[]>
}
