// The types that the server and the pages share. It has no imports, so that pages are independent of the
// server.

export interface Place {
  readonly file: string
  readonly line: number
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

type Details = Optional<{
  required: boolean
  unique: boolean
  private: boolean
  writable: boolean
  writeOnce: boolean
  localized: boolean
  default: unknown
  min: number | string
  max: number | string
  minLength: number
  maxLength: number
  regex: string
  enum: readonly string[]
  targetField: string
  computed: unknown
  relation: string
  many: boolean
  /** Undefined for relations that lead to entries of several types, which have `targets`. */
  target: string
  targets: readonly string[]
  inverse: string
  owner: boolean
  component: string
  components: readonly string[]
  allowedTypes: readonly string[]
  /** Help for editors. */
  description: string
  placeholder: string
  place: Place
}>

export interface Attribute extends Details {
  readonly name: string
  /** Its name for people. */
  readonly label: string
  readonly kind: 'scalar' | 'relation' | 'media' | 'component' | 'dynamiczone'
  readonly type: string
}

export interface Component {
  readonly uid: string
  readonly displayName: string
  readonly graphqlName: string
  readonly place?: Place | undefined
  readonly attributes: readonly Attribute[]
}

/** How the pages show the entries of a content-type. */
export interface Look {
  /** The attribute that names an entry; undefined: its id does. */
  readonly title: string | undefined
  /** The columns of a list at first. */
  readonly list: readonly string[]
  /** The sections of a form, with every attribute once; an empty label has no heading. */
  readonly groups: readonly { readonly label: string; readonly fields: readonly string[] }[]
  /** The address of an entry's page, with attributes as `{slug}`. */
  readonly preview: string | undefined
}

export interface Type {
  readonly uid: string
  /** Whether the file declares it, not a plugin. */
  readonly own: boolean
  readonly kind: 'collectionType' | 'singleType'
  readonly name: string
  readonly plural: string
  readonly displayName: string
  readonly description?: string | undefined
  readonly path?: string | undefined
  readonly graphqlName: string
  readonly graphqlOne: string
  readonly graphqlMany: string
  readonly draftAndPublish: boolean
  /** The attributes that say when an entry is published and becomes a draft again. */
  readonly schedule?:
    | { readonly publishAt?: string | undefined; readonly unpublishAt?: string | undefined }
    | undefined
  /** Whether each write names the version of its entry, so that many at once are refused. */
  readonly needsVersion: boolean
  readonly locales?: readonly string[] | undefined
  readonly defaultLocale?: string | undefined
  readonly actions: readonly string[]
  /** The operations that the caller may perform on some entries, such as `find`, `update`, `publish`. */
  readonly may: readonly string[]
  readonly look: Look
  readonly checks: readonly string[]
  readonly unique: readonly (readonly string[])[]
  readonly place?: Place | undefined
  readonly attributes: readonly Attribute[]
}

export interface Model {
  readonly dialect: 'strapi-4' | 'strapi-5'
  readonly prefix: string
  readonly graphql?: string | undefined
  readonly graphiql: boolean
  readonly uploads: boolean
  readonly types: readonly Type[]
  readonly components: readonly Component[]
}

/** Who uses the pages; without `user` and `developer` nobody is logged in. */
/**
 * Why a login by a provider failed: it took too long or began in another browser, was ended by the person, has no
 * verified address, has no user here, was tried too often, or the provider gave no usable answer.
 */
export type LoginFault = 'expired' | 'cancelled' | 'unverified' | 'unknown' | 'often' | 'failed'

export interface LoginState {
  /** Whether a key of developers, or a password of users, is a way in. */
  readonly byKey: boolean
  readonly byPassword: boolean
  /** OpenID providers that lead in. */
  readonly providers: readonly { readonly name: string; readonly label: string }[]
  readonly developer?: boolean
  readonly user?: {
    readonly id: number
    readonly username: string
    readonly email: string
    readonly role: string
    readonly pages: readonly string[]
  }
  /** Goes with every request of a user as `x-console-key`. */
  readonly token?: string
}

/** A login of the user. */
interface ListedSession {
  readonly id: string
  readonly deviceName?: string | undefined
  readonly current: boolean
  /** ISO 8601. */
  readonly loginAt: string
  readonly lastActiveAt: string
}

export interface Account {
  readonly sessions: readonly ListedSession[]
  readonly mayChangePassword: boolean
}

/** The ids of entries that the caller may change or delete. */
export interface EntryRights {
  readonly update: readonly number[]
  readonly updateMany: readonly number[]
  readonly delete: readonly number[]
}

export interface Reading {
  /** Within its process. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly outcome: 'started' | 'reloaded' | 'rejected' | 'held' | 'unchanged'
  readonly ms?: number
  /** The diagnostics as the terminal shows them, with frames. */
  readonly report: string
}

export interface RequestSummary {
  /** Within its process. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  /** Milliseconds until the response was made, without sending it. */
  readonly ms: number
  readonly role?: string
  readonly user?: number | undefined
  readonly token?: string
  /** Texts of the statements, without values. */
  readonly statements: readonly string[]
}

export interface OfProcess {
  readonly process: number
}

/** The response that every page requests once a second, for all processes that serve. */
export interface State {
  readonly file: string | undefined
  /** Changes with every app; a model of an older generation is stale. */
  readonly generation: number
  readonly wrong: string | undefined
  readonly processes: number
  readonly readings: readonly (Reading & OfProcess)[]
  readonly requests: readonly (RequestSummary & OfProcess)[]
}

export interface ChangeSummary {
  readonly number: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly action: string
  readonly type: string
  readonly entry: number | undefined
  readonly documentId?: string | undefined
  readonly locale?: string | undefined
  readonly status?: string | undefined
  readonly attributes: readonly string[]
}

export interface Changes {
  readonly recorded: boolean
  /** The next number to request; undefined if changes are not recorded. */
  readonly last: string | undefined
  readonly changes: readonly ChangeSummary[]
}

export interface Scans {
  readonly scans: readonly string[]
}

export interface Home {
  readonly counts: Readonly<Record<string, number>>
  readonly file: string | undefined
  readonly edit: boolean
  readonly transport: string
  readonly database: { readonly client: string; readonly durable: boolean }
  readonly environment: string
  readonly graphql: string | undefined
  readonly prefix: string
  readonly roles: readonly { readonly type: string; readonly name: string; readonly description: string }[]
  readonly users: readonly string[]
  /** Only tokens whose text the file holds; the others are usable by their text only. */
  readonly tokens: readonly string[]
}

type Rules = Readonly<Record<string, readonly unknown[]>>

export interface Matrix {
  readonly actions: readonly string[]
  readonly roles: Readonly<Record<string, readonly string[]>>
  readonly apiTokens: Readonly<Record<string, readonly string[]>>
  readonly rules: {
    readonly roles: Readonly<Record<string, Rules>>
    readonly apiTokens: Readonly<Record<string, Rules>>
  }
}

export interface RequestResult {
  readonly status: number
  readonly text: string
  readonly ms: number
  /** Whether the response was cached: the statements are then those of an earlier run. */
  readonly kept: boolean
  readonly statements: readonly Statement[]
}

export interface Statement {
  readonly sql: string
  readonly ms: number
  readonly plan?: readonly string[]
  readonly withoutPlan?: string
}

export interface FileDiagnostic {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

export interface ShownFile {
  readonly file: string | undefined
  /** Whether it may be written; otherwise its secrets are masked. */
  readonly edit: boolean
  readonly text: string
  readonly hash: string
  readonly report: string
  readonly diagnostics: readonly FileDiagnostic[]
}

export interface PlannedText {
  readonly report: string
  readonly diagnostics: readonly FileDiagnostic[]
  readonly changes:
    | readonly { readonly text: string; readonly mark: string; readonly destructive: boolean }[]
    | undefined
  readonly widenings: readonly string[]
}

export type Entry = Readonly<Record<string, unknown>> & { readonly id: number }
