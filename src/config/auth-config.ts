// Declares `auth` of the normalized configuration.

export interface AuthConfig {
  readonly roles: Readonly<Record<string, RoleConfig>>
  readonly apiTokens: readonly ApiTokenConfig[]
  readonly users: readonly Readonly<Record<string, unknown>>[]
  /** Servers whose tokens are accepted, or whose accounts log in to the console, by name. */
  readonly providers: Readonly<Record<string, IdentityProviderConfig>>
}

export interface IdentityProviderConfig {
  readonly issuer: string
  /** Empty: its tokens are not those of callers of the API. */
  readonly audience: readonly string[]
  /** The path of the claim with role names. */
  readonly roles: string | undefined
  readonly defaultRole: string
  /** Undefined: from the issuer's discovery document. */
  readonly jwks: string | undefined
  /** Undefined: its accounts do not log in to the console. */
  readonly console: ProviderConsoleConfig | undefined
}

export interface ProviderConsoleConfig {
  readonly clientId: string
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined
  readonly label: string
}

export interface RoleConfig {
  readonly name: string
  readonly description: string
  /** Roles whose permissions it has as well; undefined once these are among its own. */
  readonly extends?: readonly string[]
  /** With full ids, short forms and wildcards. */
  readonly permissions: readonly PermissionConfig[]
  /** Undefined: its users may not log in to the console. Roles that extend this one do not get it. */
  readonly console?: RoleConsoleConfig
}

/** The pages and content-types that its users see in the console; undefined: all that their permissions allow. */
export interface RoleConsoleConfig {
  readonly pages: readonly ConsolePage[] | undefined
  readonly types: readonly string[] | undefined
}

export type ConsolePage = 'data' | 'media' | 'users' | 'model'

export type PermissionConfig = string | Readonly<Record<string, PermissionRuleConfig>>

export interface PermissionRuleConfig {
  readonly where?: string
  readonly check?: string
  readonly set?: Readonly<Record<string, string | number | boolean | null>>
  readonly fields?: readonly string[]
}

export interface ApiTokenConfig {
  readonly name: string
  readonly description?: string
  readonly type: 'read-only' | 'full-access' | 'custom'
  readonly permissions?: readonly PermissionConfig[]
  readonly token?: string | readonly string[]
  readonly tokenHash?: string | readonly string[]
  readonly expiresAt?: string | null
}
