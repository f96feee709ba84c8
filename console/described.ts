// What the server tells the pages (`src/console`).

export interface Place {
  readonly file: string
  readonly line: number
}

export interface Attribute {
  readonly name: string
  readonly kind: 'scalar' | 'relation' | 'media' | 'component' | 'dynamiczone'
  readonly type: string
  readonly required?: boolean
  readonly unique?: boolean
  readonly private?: boolean
  readonly writable?: boolean
  readonly writeOnce?: boolean
  readonly localized?: boolean
  readonly default?: unknown
  readonly min?: number | string
  readonly max?: number | string
  readonly minLength?: number
  readonly maxLength?: number
  readonly regex?: string
  readonly enum?: readonly string[]
  readonly targetField?: string
  readonly computed?: string
  readonly relation?: string
  readonly many?: boolean
  readonly target?: string
  readonly targets?: readonly string[]
  readonly inverse?: string
  readonly owner?: boolean
  readonly component?: string
  readonly components?: readonly string[]
  readonly allowedTypes?: readonly string[]
  readonly place?: Place
}

export interface Component {
  readonly uid: string
  readonly displayName: string
  readonly graphqlName: string
  readonly place?: Place
  readonly attributes: readonly Attribute[]
}

export interface Type {
  readonly uid: string
  /** Whether the file declares it, not a plugin. */
  readonly own: boolean
  readonly kind: 'collectionType' | 'singleType'
  readonly name: string
  readonly plural: string
  readonly displayName: string
  readonly description?: string
  /** `/api/articles`; of types of the file only. */
  readonly path?: string
  readonly graphqlName: string
  readonly graphqlOne: string
  readonly graphqlMany: string
  readonly draftAndPublish: boolean
  readonly locales?: readonly string[]
  readonly defaultLocale?: string
  readonly actions: readonly string[]
  readonly checks: readonly string[]
  readonly unique: readonly (readonly string[])[]
  readonly place?: Place
  readonly attributes: readonly Attribute[]
}

export interface Model {
  readonly prefix: string
  readonly graphql?: string
  readonly uploads: boolean
  readonly types: readonly Type[]
  readonly components: readonly Component[]
}

export interface Reading {
  readonly number: number
  readonly at: number
  readonly outcome: 'started' | 'reloaded' | 'rejected' | 'held' | 'unchanged'
  readonly ms?: number
  readonly report: string
}

export interface Seen {
  readonly number: number
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly ms: number
  readonly role?: string
  readonly user?: number
  readonly token?: string
  readonly statements: readonly string[]
}

export interface Home {
  readonly counts: Readonly<Record<string, number>>
  readonly file?: string
  readonly edit: boolean
  readonly transport: string
  readonly database: { readonly client: string; readonly durable: boolean }
  readonly environment: string
  readonly graphql?: string
  readonly prefix: string
  readonly roles: readonly { readonly type: string; readonly name: string; readonly description: string }[]
  readonly users: readonly string[]
  readonly tokens: readonly string[]
  readonly readings: readonly Reading[]
}

export type Entry = Readonly<Record<string, unknown>> & { readonly id: number }
