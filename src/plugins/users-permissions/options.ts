// Parses `plugins.users-permissions.config` into options with defaults, and checks whether the secret can be
// guessed.

import { getProcessSecret } from '../../access/process-secret.ts'
import type { Config } from '../../config/config.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { parseDuration } from '../../lib/parse-units.ts'
import { listPermissions } from '../../model/permission-list.ts'
import { hasConsoleRole } from '../../model/roles.ts'
import type { PluginSettings } from '../plugin.ts'

export interface UsersPermissionsOptions {
  /** The first and newest signs; all of them verify. */
  readonly jwtSecrets: readonly string[]
  /** Milliseconds. */
  readonly jwtLifetime: number
  /** Undefined if a login gives one long-lived token (`jwtManagement: legacy-support`). */
  readonly sessions: SessionOptions | undefined
  /** Of the console, also without sessions of the API; undefined if no role may use the console. */
  readonly consoleSessions: SessionOptions | undefined
  /** Attributes beyond username, email and password that a registration may set. */
  readonly registerFields: readonly string[]
  /** `enabled` is undefined if the file names no limit. */
  readonly rateLimit: {
    readonly enabled: boolean | undefined
    readonly interval: number
    readonly max: number
  }
  readonly uniqueEmail: boolean
  readonly allowRegister: boolean
  readonly emailConfirmation: boolean
  /** The page for a new password; the code is added to its URL. */
  readonly resetPage: string | undefined
  /** Where the browser goes after an address was confirmed. */
  readonly confirmationRedirection: string | undefined
  /** The type of the role of new users. */
  readonly defaultRole: string
  /** The file that changes controllers and routes. */
  readonly extension: string | undefined
}

/** Milliseconds. */
export interface SessionOptions {
  /** Lifetime of an access token. */
  readonly access: number
  /** Lifetime of a session without a refresh. */
  readonly idle: number
  /** Maximum lifetime of a session. */
  readonly longest: number
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A shorter secret can be guessed from one token. */
const MIN_SECRET_BYTES = 32

/** Secrets copied from sample projects. */
const SAMPLES = /^(secret|changeme|change-me|tobemodified|toBeModified|jwt-?secret|your-?secret|test)+$/i

export function parseOptions(settings: PluginSettings): UsersPermissionsOptions {
  const { config } = settings
  const advanced = buildRecord(config['advanced'])
  const rateLimit = buildRecord(config['ratelimit'])
  return {
    jwtSecrets: listSecrets(settings),
    jwtLifetime: getDuration(buildRecord(config['jwt'])['expiresIn'], 30 * DAY_MS),
    sessions:
      config['jwtManagement'] === 'refresh' ? getSessions(buildRecord(config['sessions'])) : undefined,
    consoleSessions: hasConsoleRole(settings.whole.auth.roles)
      ? getSessions(buildRecord(config['sessions']))
      : undefined,
    registerFields: listTexts(buildRecord(config['register'])['allowedFields']),
    rateLimit: {
      enabled: Object.keys(rateLimit).length === 0 ? undefined : rateLimit['enabled'] !== false,
      interval: getDuration(rateLimit['interval'], 5 * MINUTE_MS),
      max: typeof rateLimit['max'] === 'number' ? rateLimit['max'] : 5,
    },
    uniqueEmail: advanced['unique_email'] !== false,
    allowRegister: advanced['allow_register'] !== false,
    emailConfirmation: advanced['email_confirmation'] === true,
    resetPage: formatText(advanced['email_reset_password']),
    confirmationRedirection: formatText(advanced['email_confirmation_redirection']),
    defaultRole: formatText(advanced['default_role']) ?? 'authenticated',
    extension: formatText(config['extension']),
  }
}

/** The settings `advanced`, under Strapi's names. */
export function formatAdvanced(options: UsersPermissionsOptions): Readonly<Record<string, unknown>> {
  return {
    unique_email: options.uniqueEmail,
    allow_register: options.allowRegister,
    email_confirmation: options.emailConfirmation,
    email_reset_password: options.resetPage ?? null,
    email_confirmation_redirection: options.confirmationRedirection ?? null,
    default_role: options.defaultRole,
  }
}

function getSessions(sessions: Readonly<Record<string, unknown>>): SessionOptions {
  // Plain numbers are seconds, as in Strapi, unlike elsewhere in the file.
  const lifespan = (name: string, standard: number): number => {
    const value = sessions[name]
    return typeof value === 'number' ? value * 1000 : getDuration(value, standard)
  }
  return {
    access: lifespan('accessTokenLifespan', 10 * MINUTE_MS),
    idle: lifespan('idleRefreshTokenLifespan', 14 * DAY_MS),
    longest: lifespan('maxRefreshTokenLifespan', 30 * DAY_MS),
  }
}

/** In production, a missing or weak secret is an error; otherwise the process generates one. */
function listSecrets({ config, whole, report }: PluginSettings): readonly string[] {
  const given = config['jwtSecret']
  const secrets = (Array.isArray(given) ? given : [given]).filter(
    (secret): secret is string => typeof secret === 'string' && secret !== '',
  )
  const production = whole.server.environment === 'production'
  const path = ['plugins', 'users-permissions', 'config', 'jwtSecret']
  if (secrets.length === 0) {
    const reason = reasonForLogins(whole)
    if (reason !== undefined) {
      report({
        code: 'PLG001',
        severity: production ? 'error' : 'warning',
        path: given === undefined ? reason : path,
        at: 'key',
        message: production
          ? 'users log in here, and in production "jwtSecret" must be set'
          : 'users log in here, and there is no "jwtSecret": one is made for this process, and logins end with it',
        help: `write "jwtSecret: '\${JWT_SECRET}'" at the top level of the file, and set the variable`,
      })
    }
    return [getProcessSecret()]
  }
  const weak = secrets.some((secret) => Buffer.byteLength(secret) < MIN_SECRET_BYTES || SAMPLES.test(secret))
  if (weak && production) {
    report({
      code: 'PLG002',
      severity: 'error',
      path,
      message: `"jwtSecret" can be guessed: it needs at least ${MIN_SECRET_BYTES} random characters`,
      help: 'make one with "cms-run secrets"',
    })
  }
  return secrets
}

/** The part of the file that needs a secret. */
function reasonForLogins({ plugins, auth, data }: Config): DiagnosticPath | undefined {
  if (Object.hasOwn(plugins, 'users-permissions')) return ['plugins', 'users-permissions']
  if (auth.users.length > 0) return ['auth', 'users']
  const users = Object.keys(data).find((uid) => uid.startsWith('plugin::users-permissions.'))
  if (users !== undefined) return ['data', users]
  for (const [role, { permissions }] of Object.entries(auth.roles)) {
    const granted = listPermissions(permissions).find(({ pattern }) =>
      /^plugin::(?:users-permissions\.|\*)/.test(pattern),
    )
    if (granted !== undefined) return ['auth', 'roles', role, 'permissions', ...granted.path]
  }
  return undefined
}

function getDuration(value: unknown, standard: number): number {
  const parsed = typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined
  return parsed ?? standard
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : []
}

function formatText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
