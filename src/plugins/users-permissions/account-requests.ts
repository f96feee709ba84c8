// What may be asked about accounts, for every face alike: the fields of a request are checked, its tries counted, and the
// login, registration or change is done (BEHAVIOUR 11.2 to 11.5, 14.14). What is answered is the face's business.

import type { Permissions, Principal } from '../../auth/principal.ts'
import type { RateLimit } from '../../auth/rate-limit.ts'
import { ApiError, validationErrors } from '../../errors/api-error.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { LoggedIn, Logins, Registered } from './logins.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { type Body, type FieldRule, own, readTexts } from './read-fields.ts'

export interface Caller {
  /** Where the request comes from. */
  readonly address: string
  /** The user's id; undefined for everybody else. */
  readonly id: number | undefined
  /** What a registration may name and change besides the user. */
  readonly permissions: Permissions
}

export function callerOf({ address }: Pick<HttpRequest, 'address'>, { id, permissions }: Principal): Caller {
  return { address, id, permissions }
}

export interface AccountRequests {
  logIn(caller: Caller, fields: Body): Promise<LoggedIn>
  register(caller: Caller, fields: Body): Promise<Registered>
  forgotPassword(caller: Caller, fields: Body): Promise<void>
  resetPassword(caller: Caller, fields: Body): Promise<LoggedIn>
  changePassword(caller: Caller, fields: Body): Promise<LoggedIn>
  confirmEmail(caller: Caller, fields: Body): Promise<LoggedIn>
  /** Answers the address. */
  sendConfirmation(caller: Caller, fields: Body): Promise<string>
  /** No provider but our own can be switched on. Always rejects. */
  connect(caller: Pick<Caller, 'address'>, path: string): Promise<never>
}

export interface AccountRequestParts {
  readonly logins: Logins
  readonly options: Pick<UsersPermissionsOptions, 'allowRegister' | 'registerFields'>
  /** Undefined where it is switched off. */
  readonly rateLimit: RateLimit | undefined
}

const LOGIN = [{ name: 'identifier' }, { name: 'password' }] as const
const REGISTER = [
  { name: 'email', email: true },
  { name: 'username', minLength: 3, printable: true },
  { name: 'password' },
] as const
const EMAIL = [{ name: 'email', email: true }] as const
// Strapi checks them from the last to the first.
const NEW_PASSWORD = [{ name: 'passwordConfirmation' }, { name: 'password' }] as const
const RESET = [...NEW_PASSWORD, { name: 'code' }] as const
const CHANGE = [...NEW_PASSWORD, { name: 'currentPassword' }] as const
const MISMATCH = 'Passwords do not match'
const CONFIRMATION = [{ name: 'confirmation' }] as const

export function createAccountRequests({ logins, options, rateLimit }: AccountRequestParts): AccountRequests {
  /** Counted by what the request really is about; a name that is not used makes no new bucket. */
  async function textsOf<N extends string>(
    { address }: Pick<Caller, 'address'>,
    action: string,
    fields: Body,
    rules: readonly (FieldRule & { readonly name: N })[],
    identifiedBy?: N,
  ): Promise<Readonly<Record<N, string>>> {
    const named = identifiedBy === undefined ? undefined : own(fields, identifiedBy)
    await rateLimit?.take(action, address, typeof named === 'string' ? named : '')
    return readTexts(fields, rules)
  }

  return {
    async logIn(caller, fields) {
      const { identifier, password } = await textsOf(caller, 'callback', fields, LOGIN, 'identifier')
      return logins.logIn(identifier, password)
    },
    async register(caller, fields) {
      if (!options.allowRegister) {
        throw new ApiError('ApplicationError', 'Register action is currently disabled')
      }
      const texts = await textsOf(caller, 'register', fields, REGISTER)
      const given = options.registerFields.filter((name) => Object.hasOwn(fields, name))
      const extra = Object.fromEntries(given.map((name) => [name, fields[name]]))
      return logins.register(texts, extra, caller.permissions)
    },
    async forgotPassword(caller, fields) {
      const { email } = await textsOf(caller, 'forgotPassword', fields, EMAIL, 'email')
      assertOnly(fields, ['email'])
      await logins.forgotPassword(email)
    },
    async resetPassword(caller, fields) {
      const texts = await textsOf(caller, 'resetPassword', fields, RESET)
      if (texts.password !== texts.passwordConfirmation) throw new ApiError('ValidationError', MISMATCH)
      return logins.resetPassword(texts.code, texts.password)
    },
    async changePassword(caller, fields) {
      const { id } = caller
      if (id === undefined) {
        throw new ApiError('ApplicationError', 'You must be authenticated to reset your password')
      }
      const texts = await textsOf(caller, 'changePassword', fields, CHANGE)
      if (texts.password !== texts.passwordConfirmation) {
        const fault = { path: ['passwordConfirmation'], message: MISMATCH, name: 'ValidationError' }
        throw validationErrors([fault])
      }
      return logins.changePassword(id, texts.currentPassword, texts.password)
    },
    async confirmEmail(caller, fields) {
      const { confirmation } = await textsOf(caller, 'emailConfirmation', fields, CONFIRMATION)
      return logins.confirmEmail(confirmation)
    },
    async sendConfirmation(caller, fields) {
      const { email } = await textsOf(caller, 'sendEmailConfirmation', fields, EMAIL, 'email')
      await logins.sendConfirmation(email)
      return email.toLowerCase()
    },
    async connect({ address }, path) {
      await rateLimit?.take(path, address, '')
      throw new ApiError('ApplicationError', 'This provider is disabled')
    },
  }
}

function assertOnly(fields: Body, known: readonly string[]): void {
  const unknown = Object.keys(fields).filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  const message = `this field has unspecified keys: ${unknown.join(', ')}`
  throw validationErrors([{ path: [], message, name: 'ValidationError' }])
}
