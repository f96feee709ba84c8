// Implements logins, registrations and changes of passwords and addresses for all APIs. Functions take
// checked texts and throw the client's errors.

import type { UserTokens } from '../../access/json-web-token.ts'
import type { Permissions } from '../../access/principal.ts'
import { isOutdatedHash, verifyPassword } from '../../access/verify-password.ts'
import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { runInSteps } from '../../lib/in-steps.ts'
import type { AccountMails } from './account-mails.ts'
import { type Account, type Accounts, getNextEpoch } from './accounts.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { buildStoredForm, createSecretCode } from './secret-code.ts'

interface LoginContext {
  readonly accounts: Accounts
  readonly tokens: UserTokens
  readonly mails: AccountMails
  readonly options: UsersPermissionsOptions
  now(): number
  hashPassword(password: string): Promise<string>
}

/** The user who gets a token, and the token's epoch. */
export type LoggedIn = Pick<Account, 'id' | 'epoch'>

export interface RegisteredUser {
  readonly id: number
  /** Undefined if the address is unconfirmed: the user gets no token. */
  readonly epoch: number | undefined
}

export interface Logins {
  logIn(identifier: string, password: string): Promise<LoggedIn>
  /** For the program that embeds the CMS; undefined if the user is unknown. */
  getToken(identifier: string): Promise<string | undefined>
  /** `extra`: fields allowed by `register.allowedFields`; related entries in them need permission in `access`. */
  register(
    fields: { readonly username: string; readonly email: string; readonly password: string },
    extra: Readonly<Record<string, unknown>>,
    access: Permissions,
  ): Promise<RegisteredUser>
  /** Takes the same time whether the user exists or not, as does `sendConfirmation`. */
  forgotPassword(email: string): Promise<void>
  resetPassword(code: string, password: string): Promise<LoggedIn>
  changePassword(id: number, current: string, password: string): Promise<LoggedIn>
  confirmEmail(code: string): Promise<LoggedIn>
  sendConfirmation(email: string): Promise<void>
}

const applicationError = (message: string): ApiError => new ApiError('ApplicationError', message)
const validationError = (message: string): ApiError => new ApiError('ValidationError', message)

const MIN_PASSWORD_LENGTH = 6

export function createLogins(context: LoginContext): Logins {
  const { accounts, tokens, mails, options, now, hashPassword } = context

  async function findByIdentifier(identifier: string): Promise<Account | undefined> {
    const byEmail = await accounts.findBy('email', identifier.trim().toLowerCase())
    const byName = await accounts.findBy('username', identifier)
    // A name that differs from another user's address only in case is still that name.
    return byEmail?.email === identifier ? byEmail : (byName ?? byEmail)
  }

  /** `stored` authorizes the change, which replaces it: a second request with the same value is refused. */
  async function setPassword(
    account: Account,
    password: string,
    stored: { readonly name: 'resetPasswordToken' | 'tokenEpoch'; readonly value: string | number },
    refuse: () => ApiError,
  ): Promise<LoggedIn> {
    assertPassword(password)
    const hash = await hashPassword(password)
    // Ends the tokens of the old password, and a reset code that was requested in the meantime.
    const epoch = getNextEpoch(account.epoch, now())
    const data = { password: hash, tokenEpoch: epoch, resetPasswordToken: null }
    if (!(await accounts.updateWhile(account.id, stored, data))) throw refuse()
    return { id: account.id, epoch }
  }

  async function mailConfirmation(account: Pick<Account, 'id' | 'email' | 'username'>): Promise<void> {
    const { code, stored } = createSecretCode(now())
    await accounts.update(account.id, { confirmationToken: stored })
    mails.sendConfirmation(account, code)
  }

  return {
    async getToken(identifier) {
      const account = await findByIdentifier(identifier)
      return account === undefined ? undefined : tokens.issue({ id: account.id, epoch: account.epoch })
    },
    async logIn(identifier, password) {
      const account = await findByIdentifier(identifier)
      const right = await verifyPassword(password, account?.passwordHash)
      if (account === undefined || !right || account.provider !== 'local') {
        throw validationError('Invalid identifier or password')
      }
      if (options.emailConfirmation && !account.confirmed) {
        throw applicationError('Your account email is not confirmed')
      }
      if (account.blocked) throw applicationError('Your account has been blocked by an administrator')
      const { passwordHash: value, epoch: tokenEpoch } = account
      if (value !== undefined && isOutdatedHash(value)) {
        const data = { password: await hashPassword(password), tokenEpoch }
        await accounts.updateWhile(account.id, { name: 'password', value }, data)
      }
      return account
    },

    async register(fields, extra, access) {
      if (!options.allowRegister) throw applicationError('Register action is currently disabled')
      const username = fields.username.trim()
      const email = fields.email.toLowerCase()
      assertPassword(fields.password)
      const role = await accounts.findRole(options.defaultRole)
      if (role === undefined) throw applicationError('Impossible to find the default role')
      const taken = applicationError('Email or Username are already taken')
      if (await isTaken(accounts, username, email, options.uniqueEmail)) throw taken
      const confirmed = !options.emailConfirmation
      const id = await accounts
        .create(
          { ...extra, username, email, password: fields.password, provider: 'local', confirmed, role },
          access,
        )
        .catch((error: unknown) => {
          throw isUniqueFault(error) ? taken : error
        })
      if (confirmed) return { id, epoch: 0 }
      await mailConfirmation({ id, email, username })
      return { id, epoch: undefined }
    },

    forgotPassword: (email) =>
      runInSteps(async () => {
        const account = await accounts.findBy('email', email.toLowerCase())
        if (account === undefined || account.blocked) return
        const { code, stored } = createSecretCode(now())
        await accounts.update(account.id, { resetPasswordToken: stored })
        mails.sendReset(account, code)
      }),

    async resetPassword(code, password) {
      assertPassword(password)
      const refuse = () => validationError('Incorrect code provided')
      const stored = buildStoredForm(code, now())
      if (stored === undefined) throw refuse()
      const account = await accounts.findBy('resetPasswordToken', stored)
      if (account === undefined) throw refuse()
      return setPassword(account, password, { name: 'resetPasswordToken', value: stored }, refuse)
    },

    async changePassword(id, current, password) {
      const refuse = () => validationError('The provided current password is invalid')
      const account = await accounts.findBy('id', id)
      const right = await verifyPassword(current, account?.passwordHash)
      if (account === undefined || !right) throw refuse()
      if (current === password) {
        throw validationError('Your new password must be different than your current password')
      }
      return setPassword(account, password, { name: 'tokenEpoch', value: account.epoch }, refuse)
    },

    async confirmEmail(code) {
      const refuse = () => validationError('Invalid token')
      const stored = buildStoredForm(code, now())
      if (stored === undefined) throw refuse()
      const account = await accounts.findBy('confirmationToken', stored)
      if (account === undefined) throw refuse()
      const used = { confirmed: true, confirmationToken: null }
      if (!(await accounts.updateWhile(account.id, { name: 'confirmationToken', value: stored }, used))) {
        throw refuse()
      }
      return account
    },

    async sendConfirmation(email) {
      // Without confirmation, the route must not reveal which users exist.
      if (!options.emailConfirmation) throw applicationError('Email confirmation is switched off')
      await runInSteps(async () => {
        const account = await accounts.findBy('email', email.toLowerCase())
        if (account === undefined || account.confirmed || account.blocked) return
        await mailConfirmation(account)
      })
    },
  }
}

/** A username must not be another user's address, nor an address another user's name. */
async function isTaken(
  accounts: Accounts,
  username: string,
  email: string,
  uniqueEmail: boolean,
): Promise<boolean> {
  if ((await accounts.findBy('username', username)) ?? (await accounts.findBy('username', email))) return true
  if ((await accounts.findBy('email', username.toLowerCase())) !== undefined) return true
  const same = await accounts.findBy('email', email)
  return same !== undefined && (uniqueEmail || same.provider === 'local')
}

function assertPassword(password: string): void {
  // Counts characters, not bytes, so that six letters of any script are long enough.
  if ([...password].length >= MIN_PASSWORD_LENGTH) return
  const message = `password must be at least ${MIN_PASSWORD_LENGTH} characters`
  throw createValidationErrors([{ path: ['password'], message, name: 'ValidationError' }])
}

function isUniqueFault(error: unknown): boolean {
  return error instanceof ApiError && error.message === 'This attribute must be unique'
}
