// Declares the logins of the console, whose sessions are cookies of browsers.

import type { RoleConsoleConfig } from '../config/auth-config.ts'

interface LoginAttempt {
  /** A username or an e-mail address. */
  readonly identifier: unknown
  readonly password: unknown
  /** The client's IP address. */
  readonly address: string
  readonly userAgent: string | undefined
}

/** A login at an OpenID provider. */
interface ProviderAttempt extends Pick<LoginAttempt, 'address' | 'userAgent'> {
  /** Asks the provider for the verified address of e-mail; called once, and not when the client has tried too often. */
  readEmail(): Promise<string>
}

export interface ConsoleUser {
  readonly id: number
  readonly username: string
  readonly email: string
  /** The type of the role. */
  readonly role: string
  readonly console: RoleConsoleConfig
}

export interface ConsoleSession {
  /** Public: it identifies the session in lists. */
  readonly id: string
  readonly user: ConsoleUser
  /** A bearer token of the API for one request; it never leaves the server. */
  issueToken(): Promise<string>
}

export interface ListedSession {
  readonly id: string
  readonly deviceName: string | undefined
  readonly current: boolean
  /** ISO 8601. */
  readonly loginAt: string
  readonly lastActiveAt: string
}

export interface ConsoleLogins {
  /**
   * Returns the secret of a new session. Throws the errors of `POST /api/auth/local`, and ForbiddenError if the user's
   * role may not use the console.
   */
  logIn(attempt: LoginAttempt): Promise<string>
  /**
   * Returns the secret of a new session; undefined if no user with the address may use the console. Throws
   * RateLimitError, and the errors of `readEmail`.
   */
  logInByEmail(attempt: ProviderAttempt): Promise<string | undefined>
  /** Undefined if the session is over, or its user may no longer use the console. */
  find(secret: string): Promise<ConsoleSession | undefined>
  /** Milliseconds after which a session ends even if it is in use. */
  readonly longestMs: number
  /** The permission with which a user may change the own password. */
  readonly passwordPermission: string
  list(session: ConsoleSession): Promise<readonly ListedSession[]>
  /** Returns whether the user had this session. */
  end(userId: number, id: string): Promise<boolean>
  /** Ends all sessions of the user, those of the API as well. */
  endAll(userId: number): Promise<void>
}
