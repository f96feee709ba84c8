// Declares the normalized configuration: shorthands and defaults filled in, milliseconds, bytes.

import type { AuthConfig } from './auth-config.ts'
import type { DatabaseClientName } from './database-clients.ts'
import type { MiddlewareReference, ServerConfig } from './server-config.ts'

export interface Config {
  /** Absolute; undefined for an object. */
  readonly file: string | undefined
  /** Base of relative paths. */
  readonly directory: string
  readonly name?: string
  readonly description?: string
  readonly dialect: ApiVersion
  readonly server: ServerConfig
  readonly rest: RestConfig
  readonly database: DatabaseConfig
  /** By full uid: `api::article.article`, or `plugin::users-permissions.user` to extend a plugin's type. */
  readonly contentTypes: Readonly<Record<string, ContentTypeConfig>>
  /** By uid (`shared.seo`). */
  readonly components: Readonly<Record<string, ComponentConfig>>
  readonly plugins: Readonly<Record<string, PluginConfig>>
  /** By name; filled once the code of an external plugin is loaded. */
  readonly ownPlugins: Readonly<Record<string, PluginDeclaration>>
  readonly auth: AuthConfig
  readonly graphql: GraphqlConfig
  /** Values and files by name. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Files by uid. */
  readonly services: Readonly<Record<string, string>>
  readonly policies: Readonly<Record<string, string | { readonly cel: string }>>
  readonly middlewares: Readonly<Record<string, string>>
  readonly routes: readonly OwnRouteConfig[]
  readonly extensions: string | undefined
  /** Undefined: in development only, and only for requests from this machine. `edit`: whether it may write the file. */
  readonly console: boolean | { readonly edit: boolean } | undefined
  /** How the console shows content-types, by their names in the file. */
  readonly looks: Readonly<Record<string, LookConfig>>
  /** By the content-type's name in the file. */
  readonly data: Readonly<Record<string, readonly SeedEntry[]>>
  readonly fake: FakeConfig
}

export interface LookConfig {
  readonly title?: string
  readonly list?: readonly string[]
  readonly groups?: readonly { readonly label?: string; readonly fields: readonly string[] }[]
  readonly preview?: string
}

export type ApiVersion = 'strapi-4' | 'strapi-5'

export interface FakeConfig {
  readonly counts: Readonly<Record<string, number>>
  readonly seed: number
}

export interface RestConfig {
  readonly prefix: string
  readonly defaultLimit: number
  readonly maxLimit: number | null
  readonly withCount: boolean
  readonly strict: boolean
  /** strapi-5: whether `required` counts for relations and media of published versions. */
  readonly strictRelations: boolean
  readonly publicDrafts: boolean
  /** The default and the most levels of `populate=deep` and `pLevel`; undefined: they are unknown. */
  readonly populateDeep?: number | undefined
  /** Bytes of cached responses; 0: responses are not cached. */
  readonly cache: number
  /** For anonymous callers. */
  readonly compression: boolean
  readonly limits: {
    /** The maximum cost of one response, over REST and GraphQL (docs/reference/limits.md). */
    readonly cost: number
    /** The maximum number of components and related entries in one write. */
    readonly writeRows: number
    /** Entries that a list may scan without a warning; null: no warnings. */
    readonly scanWarning: number | null
  }
}

/** Of a database server, where it is no URL. A type and no interface, so that it is a record of the file, too. */
export type ServerAddress = {
  /** Or the folder of a socket of PostgreSQL. */
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly user?: string
  readonly password?: string
  readonly ssl?: boolean | Readonly<Record<string, unknown>>
}

export interface DatabaseConfig {
  readonly client: DatabaseClientName
  readonly filename: string | undefined
  readonly durability: 'full' | 'normal'
  readonly connection: string | ServerAddress | undefined
  readonly schema: string | undefined
  readonly pool: {
    readonly min: number
    readonly max: number
    /** Milliseconds that a request waits for a free connection. */
    readonly acquireTimeout: number
  }
  /** Milliseconds for one statement of a request; 0: as long as the request. */
  readonly statementTimeout: number
  /** Whether a connection pooler shares the sessions with other clients. */
  readonly pooler: boolean
  readonly replicas: readonly string[]
  readonly migrations: { readonly destructive: 'refuse' | 'apply' }
}

export interface ContentTypeConfig {
  /** The key as written, for diagnostics' paths: `['contentTypes', sourceKey, …]`. */
  readonly sourceKey: string
  /** The former full uid. */
  readonly renamedFrom?: string
  readonly kind: 'collectionType' | 'singleType'
  readonly collectionName: string
  readonly info: {
    readonly singularName: string
    readonly pluralName: string
    readonly displayName: string
    readonly description?: string
  }
  readonly options: Readonly<Record<string, unknown>> & {
    readonly draftAndPublish: boolean
    /** Undefined: turning drafts off is refused while unpublished entries exist. */
    readonly draftsOff?: 'delete' | 'publish'
    readonly privateAttributes?: readonly string[]
    readonly populateCreatorFields?: boolean
  }
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, AttributeConfig>>
  readonly unique?: readonly AttributeNames[]
  readonly index?: readonly IndexedNames[]
  readonly checks?: readonly EntryCheckConfig[]
  readonly concurrency?: 'optional' | 'required'
  readonly lifecycles?: string
  readonly rest: {
    readonly only?: readonly string[]
    readonly except?: readonly string[]
    readonly cacheControl?: string
    readonly config: Readonly<Record<string, GeneratedRouteConfig>>
  }
}

export interface EntryCheckConfig {
  readonly that: string
  readonly message?: string
}

export type AttributeNames = string | readonly string[]

export type IndexedNames = AttributeNames | { readonly text: readonly string[] }

export interface RouteConfig {
  readonly auth?: false | { readonly scope: readonly string[] }
  readonly policies?: readonly PolicyReference[]
  readonly middlewares?: readonly MiddlewareReference[]
}

export interface GeneratedRouteConfig extends RouteConfig {
  /** `./file.ts` or `./file.ts#action`: answers instead of the generated action. */
  readonly handler?: string
  /** Why it refuses every request. */
  readonly closed?: string
}

export type PolicyReference =
  | string
  | { readonly name: string; readonly config?: unknown }
  | { readonly cel: string; readonly config?: unknown }

/** `path` is below `rest.prefix`. */
export interface OwnRouteConfig extends RouteConfig {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** `./file.ts` or `./file.ts#export`; undefined only if the route is closed. */
  readonly handler?: string
  /** Why it refuses every request. */
  readonly closed?: string
  /** `api::order.order.mine`. */
  readonly permission?: string
}

export interface ComponentConfig {
  readonly sourceKey: string
  /** The former name. */
  readonly renamedFrom?: string
  readonly collectionName: string
  readonly info: { readonly displayName: string; readonly description?: string; readonly icon?: string }
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, AttributeConfig>>
}

/** The keys that Strapi's schema.json has for the `type`. */
export interface AttributeConfig {
  readonly type: string
  readonly required?: boolean
  readonly private?: boolean
  /** The former name. */
  readonly renamedFrom?: string
  readonly unique?: boolean
  readonly index?: 'text'
  readonly displayName?: string
  readonly description?: string
  readonly placeholder?: string
  readonly configurable?: boolean
  readonly searchable?: boolean
  /** False: hidden when a client lists the content-types. */
  readonly visible?: boolean
  readonly writable?: boolean
  readonly readOnly?: boolean
  readonly writeOnce?: boolean
  readonly default?: unknown
  readonly computed?: string
  readonly min?: number | string
  readonly max?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  readonly regex?: string
  readonly enum?: readonly string[]
  readonly targetField?: string
  readonly multiple?: boolean
  readonly allowedTypes?: readonly string[]
  readonly component?: string
  readonly components?: readonly string[]
  readonly repeatable?: boolean
  readonly relation?: string
  readonly target?: string
  readonly inversedBy?: string
  readonly mappedBy?: string
  readonly morphBy?: string
  readonly oneWay?: boolean
  readonly pluginOptions?: Readonly<Record<string, unknown>>
}

export interface PluginConfig {
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  readonly resolve?: string
}

/** Declared by the code of an external plugin. */
export interface PluginDeclaration {
  /** By uid (`plugin::ratings.rating`). */
  readonly contentTypes: Readonly<Record<string, Omit<ContentTypeConfig, 'sourceKey'>>>
  /** `plugin::ratings.rating.top` */
  readonly actions: readonly string[]
}

interface GraphqlConfig {
  readonly shadowCRUD: Readonly<Record<string, unknown>>
  readonly extensions: readonly unknown[]
  readonly resolversConfig: Readonly<Record<string, unknown>>
}

/** Attribute values, and `$ref`, `id`, `createdAt`, `updatedAt`, `publishedAt`, `locale`. */
export type SeedEntry = Readonly<Record<string, unknown>>
