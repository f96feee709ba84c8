// The normalized configuration, the result of `load-config.ts`: every shorthand of the file expanded, every default
// filled in, every duration in milliseconds and every size in bytes.

import type { AuthConfig } from './auth-config.ts'
import type { ServerConfig } from './server-config.ts'

export interface Config {
  /** Absolute path of the file; undefined when the configuration was given as an object. */
  readonly file: string | undefined
  /** The folder that relative paths (`./policies/x.ts`, `./seed.yaml`) are resolved against. */
  readonly directory: string
  /** The name and the purpose of the API: for its description. */
  readonly name?: string
  readonly description?: string
  readonly dialect: ApiVersion
  readonly server: ServerConfig
  readonly rest: RestConfig
  readonly database: DatabaseConfig
  /** By full uid (`api::article.article`, or `plugin::users-permissions.user` to extend a plugin's type). */
  readonly contentTypes: Readonly<Record<string, ContentTypeConfig>>
  /** By uid (`shared.seo`). */
  readonly components: Readonly<Record<string, ComponentConfig>>
  readonly plugins: Readonly<Record<string, PluginConfig>>
  /** By the name of a plugin from outside, once its code is loaded. */
  readonly ownPlugins: Readonly<Record<string, PluginDeclaration>>
  readonly auth: AuthConfig
  readonly graphql: GraphqlConfig
  readonly policies: Readonly<Record<string, string | { readonly cel: string }>>
  readonly middlewares: Readonly<Record<string, string>>
  readonly routes: readonly OwnRouteConfig[]
  /** File of `register`, `bootstrap` and `lifecycles`. */
  readonly extensions: string | undefined
  /** Undefined: in development only, and only for requests from this machine. `edit`: whether it may write the file. */
  readonly console: boolean | { readonly edit: boolean } | undefined
  /** Entries to load into an empty database, by names of content-types and in the form of the file. */
  readonly data: Readonly<Record<string, readonly SeedEntry[]>>
  /** Entries to make up for an empty database. */
  readonly fake: FakeConfig
}

/** The Strapi whose clients the API serves. */
export type ApiVersion = 'strapi-4' | 'strapi-5'

export interface FakeConfig {
  /** By names of content-types in the form of the file. */
  readonly counts: Readonly<Record<string, number>>
  readonly seed: number
}

export interface RestConfig {
  readonly prefix: string
  readonly defaultLimit: number
  readonly maxLimit: number | null
  readonly withCount: boolean
  readonly strict: boolean
  /** strapi-5: whether `required` counts for relations and media of what is published. */
  readonly strictRelations: boolean
  readonly publicDrafts: boolean
  /** Bytes of the answers that are kept until their content changes; 0: none are kept. */
  readonly cache: number
  /** Whether kept answers are compressed for anonymous callers. */
  readonly compression: boolean
  readonly limits: {
    /** The highest cost of one answer, over REST and GraphQL (docs/reference/limits.md). */
    readonly cost: number
    /** The highest number of components and related entries in one write. */
    readonly writeRows: number
    /** Entries that a list may look at without a warning; null: no warnings. */
    readonly scanWarning: number | null
  }
}

export interface DatabaseConfig {
  readonly client: 'memory' | 'sqlite' | 'postgres'
  readonly filename: string | undefined
  readonly durability: 'full' | 'normal'
  readonly connection: string | Readonly<Record<string, unknown>> | undefined
  readonly schema: string | undefined
  readonly pool: {
    readonly min: number
    readonly max: number
    /** Milliseconds that a request waits for a free connection. */
    readonly acquireTimeout: number
  }
  /** Milliseconds that one statement of a request may take; 0: as long as the request. */
  readonly statementTimeout: number
  /** Whether a connection pooler shares the database sessions with other clients. */
  readonly pooler: boolean
  /** URLs of read replicas. */
  readonly replicas: readonly string[]
  readonly migrations: { readonly destructive: 'refuse' | 'apply' }
}

export interface ContentTypeConfig {
  /** The key as written in the file, for diagnostics' paths: `['contentTypes', sourceKey, …]`. */
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
    /** The fate of entries that were not published when drafts were turned off; undefined: such content is refused. */
    readonly draftsOff?: 'delete' | 'publish'
    readonly privateAttributes?: readonly string[]
    readonly populateCreatorFields?: boolean
  }
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, AttributeConfig>>
  /** As written. */
  readonly unique?: readonly AttributeNames[]
  readonly index?: readonly IndexedNames[]
  readonly checks?: readonly EntryCheckConfig[]
  readonly rest: {
    readonly only?: readonly string[]
    readonly except?: readonly string[]
    readonly cacheControl?: string
    readonly config: Readonly<Record<string, RouteConfig>>
  }
}

/** A rule across the attributes of an entry; `that` is an expression. */
export interface EntryCheckConfig {
  readonly that: string
  readonly message?: string
}

/** One attribute, or several together. */
export type AttributeNames = string | readonly string[]

export type IndexedNames = AttributeNames | { readonly text: readonly string[] }

export interface RouteConfig {
  readonly auth?: false | { readonly scope: readonly string[] }
  readonly policies?: readonly PolicyReference[]
  readonly middlewares?: readonly MiddlewareReference[]
}

/** A name under `policies`, a file, or an expression; with `config` for the policy. */
export type PolicyReference =
  | string
  | { readonly name: string; readonly config?: unknown }
  | { readonly cel: string; readonly config?: unknown }

/** A name under `middlewares`, or a file. */
export type MiddlewareReference = string | { readonly name: string; readonly options?: unknown }

/** A route of the author's own; `path` is below `rest.prefix`. */
export interface OwnRouteConfig extends RouteConfig {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** `./file.ts` or `./file.ts#export`. */
  readonly handler: string
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

/** The long form of an attribute: `type` and the keys that Strapi's schema.json has for that type. */
export interface AttributeConfig {
  readonly type: string
  readonly required?: boolean
  readonly private?: boolean
  /** The former name. */
  readonly renamedFrom?: string
  readonly unique?: boolean
  readonly index?: 'text'
  readonly configurable?: boolean
  readonly searchable?: boolean
  /** False: not listed when a client asks for the content-types. */
  readonly visible?: boolean
  readonly writable?: boolean
  readonly readOnly?: boolean
  readonly writeOnce?: boolean
  readonly default?: unknown
  /** The expression of its value; its `type` is `computed` where the file does not say another. */
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
  /** Whether it is a relation of its own although another one points back. */
  readonly oneWay?: boolean
  readonly pluginOptions?: Readonly<Record<string, unknown>>
}

export interface PluginConfig {
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** The file of a plugin from outside: `./ratings.ts`. */
  readonly resolve?: string
}

/** The part of the API that the code of a plugin from outside declares. */
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

/** An entry under `data`: attribute values, and `$ref`, `id`, `createdAt`, `updatedAt`, `publishedAt`, `locale`. */
export type SeedEntry = Readonly<Record<string, unknown>>
