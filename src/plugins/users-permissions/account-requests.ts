// Handles account requests of all APIs: checks fields, counts tries, and performs the login, registration or
// change.

import type { Permissions, Principal } from '../../access/principal.ts'
import type { RateLimit, RateLimitHeaders } from '../../access/rate-limit.ts'
import type { HttpRequest } from '../../http/request.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import {
  ApiError,
  createValidationErrors,
  type ErrorItem,
  type Explanation,
  MAX_ERRORS,
} from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import { isInResponses, shorten } from '../../plan/write/unknown-attribute.ts'
import type { LoggedIn, Logins, RegisteredUser } from './logins.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { type Body, isSecret, listFaults, own, readTexts } from './read-fields.ts'

export interface Caller {
  /** The client's IP address. */
  readonly address: string
  /** Undefined if the caller is not a user. */
  readonly id: number | undefined
  /** Permissions for entries that a registration refers to. */
  readonly permissions: Permissions
  /** Receives the rate limit headers, if tries are counted. */
  counted?(headers: RateLimitHeaders): void
}

export function getCaller({ address }: Pick<HttpRequest, 'address'>, { id, permissions }: Principal): Caller {
  return { address, id, permissions }
}

export interface AccountRequests {
  logIn(caller: Caller, fields: Body): Promise<LoggedIn>
  /** A login that another server confirms: it counts while it is tried, and no longer when it succeeds. */
  countWhile<T>(caller: Pick<Caller, 'address' | 'counted'>, confirm: () => Promise<T>): Promise<T>
  register(caller: Caller, fields: Body): Promise<RegisteredUser>
  forgotPassword(caller: Caller, fields: Body): Promise<void>
  resetPassword(caller: Caller, fields: Body): Promise<LoggedIn>
  changePassword(caller: Caller, fields: Body): Promise<LoggedIn>
  confirmEmail(caller: Caller, fields: Body): Promise<LoggedIn>
  sendConfirmation(caller: Caller, fields: Body): Promise<string>
  /** Always rejects: only the local provider can be enabled. */
  connect(caller: Pick<Caller, 'address' | 'counted'>, path: string): Promise<never>
}

interface AccountRequestOptions {
  readonly logins: Logins
  readonly options: Pick<UsersPermissionsOptions, 'allowRegister' | 'registerFields'>
  readonly userType: ContentType
  /** Whether unknown fields of a registration are refused (`rest.strict`); Strapi 5 always refuses them. */
  readonly refusesUnknown: boolean
  /**
   * Strapi 5: refuses a registration with other keys, or with a password longer than bcrypt reads; refusals
   * repeat values that are not secret.
   */
  readonly strict: boolean
  /** Undefined if tries of this address are not counted. */
  rateLimitFor(address: string): RateLimit | undefined
  /** Called with the error name of each refused login. */
  onRefused?(name: string): void
}

const LOGIN = [{ name: 'identifier' }, { name: 'password' }] as const
const REGISTER = [
  { name: 'email', email: true },
  { name: 'username', minLength: 3, printable: true },
  { name: 'password' },
] as const
const EMAIL = [{ name: 'email', email: true }] as const
// Strapi checks these fields from last to first.
const NEW_PASSWORD = [{ name: 'passwordConfirmation' }, { name: 'password' }] as const
const RESET = [...NEW_PASSWORD, { name: 'code' }] as const
const CHANGE = [...NEW_PASSWORD, { name: 'currentPassword' }] as const
const MISMATCH = 'Passwords do not match'
const CONFIRMATION = [{ name: 'confirmation' }] as const

export function createAccountRequests({
  logins,
  options,
  userType,
  refusesUnknown,
  strict,
  rateLimitFor,
  onRefused,
}: AccountRequestOptions): AccountRequests {
  /** Counts by the values that are really used, so that unused names in a body make no new buckets. */
  async function count(
    caller: Pick<Caller, 'address' | 'counted'>,
    action: string,
    named?: unknown,
  ): Promise<void> {
    const limit = rateLimitFor(caller.address)
    const headers = await limit?.take(action, caller.address, typeof named === 'string' ? named : '')
    if (headers !== undefined) caller.counted?.(headers)
  }

  /**
   * A login counts while it is tried, so that concurrent tries are bounded, and no longer when it succeeds.
   */
  async function giveBackLogin(
    caller: Pick<Caller, 'address' | 'counted'>,
    identifier: string,
  ): Promise<void> {
    const headers = await rateLimitFor(caller.address)?.giveBack('callback', caller.address, identifier)
    if (headers !== undefined) caller.counted?.(headers)
  }

  return {
    async logIn(caller, fields) {
      try {
        await count(caller, 'callback', own(fields, 'identifier'))
        const { identifier, password } = readTexts(fields, LOGIN, strict)
        const loggedIn = await logins.logIn(identifier, password)
        await giveBackLogin(caller, identifier)
        return loggedIn
      } catch (error) {
        if (error instanceof ApiError) onRefused?.(error.name)
        throw error
      }
    },
    async countWhile(caller, confirm) {
      await count(caller, 'callback')
      const confirmed = await confirm()
      await giveBackLogin(caller, '')
      return confirmed
    },
    async register(caller, fields) {
      await count(caller, 'register')
      if (!options.allowRegister) {
        throw new ApiError('ApplicationError', 'Register action is currently disabled')
      }
      const taken = [...REGISTER.map(({ name }) => name), ...options.registerFields]
      const others = Object.keys(fields).filter((name) => !taken.includes(name))
      if (strict && others.length > 0) throw invalidParameters(others).because(takesOnly(others, taken))
      const unknown = strict || !refusesUnknown ? [] : others.filter((name) => !isInResponses(userType, name))
      if (unknown.length > 0) {
        const faults = [
          ...unknown.map((name) => notTaken(name, taken)),
          ...listFaults(fields, REGISTER, strict),
        ]
        throw createValidationErrors(faults).because(takesOnly(unknown, taken))
      }
      const texts = readTexts(fields, REGISTER, strict)
      if (strict) assertShort(texts.password)
      const given = options.registerFields.filter((name) => Object.hasOwn(fields, name))
      const extra = Object.fromEntries(given.map((name) => [name, fields[name]]))
      return logins.register(texts, extra, caller.permissions)
    },
    async forgotPassword(caller, fields) {
      await count(caller, 'forgotPassword', own(fields, 'email'))
      const { email } = readTexts(fields, EMAIL, strict)
      assertOnly(fields, ['email'], strict)
      await logins.forgotPassword(email)
    },
    async resetPassword(caller, fields) {
      await count(caller, 'resetPassword')
      const texts = readTexts(fields, RESET, strict)
      if (texts.password !== texts.passwordConfirmation)
        throw strict ? mismatch() : new ApiError('ValidationError', MISMATCH)
      return logins.resetPassword(texts.code, texts.password)
    },
    async changePassword(caller, fields) {
      await count(caller, 'changePassword')
      const { id } = caller
      if (id === undefined) {
        throw new ApiError('ApplicationError', 'You must be authenticated to reset your password')
      }
      const texts = readTexts(fields, CHANGE, strict)
      if (texts.password !== texts.passwordConfirmation) throw mismatch()
      return logins.changePassword(id, texts.currentPassword, texts.password)
    },
    async confirmEmail(caller, fields) {
      await count(caller, 'emailConfirmation')
      const { confirmation } = readTexts(fields, CONFIRMATION, strict)
      return logins.confirmEmail(confirmation)
    },
    async sendConfirmation(caller, fields) {
      await count(caller, 'sendEmailConfirmation', own(fields, 'email'))
      const { email } = readTexts(fields, EMAIL, strict)
      await logins.sendConfirmation(email)
      return email.toLowerCase()
    },
    async connect(caller, path) {
      await count(caller, path)
      throw new ApiError('ApplicationError', 'This provider is disabled')
    },
  }
}

function mismatch(): ApiError {
  return createValidationErrors([
    { path: ['passwordConfirmation'], message: MISMATCH, name: 'ValidationError' },
  ])
}

/** `repeats`: Strapi 5 sends the body back; here only a body without secrets is sent back. */
function assertOnly(fields: Body, known: readonly string[], repeats: boolean): void {
  const names = Object.keys(fields)
  const unknown = names.filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  const message = `this field has unspecified keys: ${unknown.join(', ')}`
  const shown = repeats && !names.some(isSecret)
  throw createValidationErrors([
    { path: [], message, name: 'ValidationError', ...(shown && { value: fields }) },
  ])
}

function invalidParameters(names: readonly string[]): ApiError {
  const named = names.slice(0, MAX_ERRORS).map(shorten)
  return new ApiError('ValidationError', `Invalid parameters: ${named.join(', ')}`)
}

function notTaken(name: string, taken: readonly string[]): ErrorItem {
  const near = didYouMean(name, taken)
  const hint = near === undefined ? ': remove it' : `, did you mean ${near}?`
  const message = `A registration does not take ${shorten(name)}${hint}`
  return { path: [shorten(name)], message, name: 'ValidationError' }
}

function takesOnly([first = '']: readonly string[], taken: readonly string[]): Explanation {
  const near = didYouMean(first, taken)
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  const setting = 'plugins.users-permissions.config.register.allowedFields'
  return { message: `a registration takes ${taken.join(', ')} (${setting} adds names)${hint}` }
}

/** bcrypt reads no further bytes of a password. */
const MAX_BCRYPT_BYTES = 72

function assertShort(password: string): void {
  if (Buffer.byteLength(password) <= MAX_BCRYPT_BYTES) return
  const message = `Password must be less than ${MAX_BCRYPT_BYTES + 1} bytes`
  throw createValidationErrors([{ path: ['password'], message, name: 'ValidationError' }])
}
