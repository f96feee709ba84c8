// Starts and finds the sessions of the console. Their secrets are cookies, and of another kind than refresh tokens:
// neither is accepted as the other.

import { createHash, randomBytes } from 'node:crypto'
import type { UserTokens } from '../../access/json-web-token.ts'
import type { Permissions } from '../../access/principal.ts'
import type { AuthConfig } from '../../config/auth-config.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ConsoleLogins, ConsoleUser } from '../console-logins.ts'
import type { AccountRequests } from './account-requests.ts'
import type { Accounts } from './accounts.ts'
import { getDeviceName } from './credentials.ts'
import type { SessionOptions } from './options.ts'
import type { Sessions } from './sessions.ts'
import type { SessionStore, StoredSession } from './stored-sessions.ts'

interface ConsoleLoginOptions {
  readonly roles: AuthConfig['roles']
  readonly accounts: Pick<Accounts, 'findBy' | 'findLoginState'>
  readonly requests: Pick<AccountRequests, 'logIn' | 'countWhile'>
  readonly tokens: Pick<UserTokens, 'issue'>
  readonly store: SessionStore
  readonly sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>
  readonly options: SessionOptions
  readonly emailConfirmation: boolean
  /** The permissions of callers without a token. */
  readonly nobody: Permissions
  now(): number
}

const SECRET_BYTES = 32
const SECRET = /^[A-Za-z0-9_-]{43}$/
const ID_BYTES = 16

/** A session is marked as used at most this often. */
const TOUCH_INTERVAL_MS = 60_000

export function createConsoleLogins(context: ConsoleLoginOptions): ConsoleLogins {
  const { roles, accounts, requests, tokens, store, sessions, options, emailConfirmation, nobody, now } =
    context

  async function findUser({
    userId,
    epoch,
  }: Pick<StoredSession, 'userId' | 'epoch'>): Promise<ConsoleUser | undefined> {
    const [account, state] = [await accounts.findBy('id', userId), await accounts.findLoginState(userId)]
    if (account === undefined || account.blocked || account.epoch !== epoch) return undefined
    if (emailConfirmation && !account.confirmed) return undefined
    const role = state?.role
    if (role === undefined || !Object.hasOwn(roles, role)) return undefined
    const console = roles[role]?.console
    const { id, username, email } = account
    return console && { id, username, email, role, console }
  }

  async function touch(session: StoredSession, family: string, moment: number): Promise<void> {
    if (moment - session.activeAt < TOUCH_INTERVAL_MS) return
    const { token, endsAt } = session
    const idleUntil = Math.min(moment + options.idle, endsAt)
    await store.rotate({ family, from: token, to: token, activeAt: moment, idleUntil })
  }

  /** Returns the secret of a new session. */
  async function start(
    { id, epoch }: { readonly id: number; readonly epoch: number },
    userAgent: string | undefined,
  ): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const moment = now()
    const endsAt = moment + options.longest
    const browser = getDeviceName(userAgent)
    await store.add(
      {
        ...{ id: randomBytes(ID_BYTES).toString('hex'), userId: id, epoch, token: computeDigest(secret) },
        ...{ device: undefined, deviceName: browser === undefined ? 'Console' : `Console, ${browser}` },
        ...{
          loginAt: moment,
          activeAt: moment,
          endsAt,
          idleUntil: Math.min(moment + options.idle, endsAt),
        },
      },
      computeDigest(`family ${secret}`),
    )
    return secret
  }

  return {
    longestMs: options.longest,
    passwordPermission: 'plugin::users-permissions.auth.changePassword',
    async logIn({ identifier, password, address, userAgent }) {
      const caller = { address, id: undefined, permissions: nobody }
      const { id, epoch } = await requests.logIn(caller, { identifier, password })
      if ((await findUser({ userId: id, epoch })) === undefined)
        throw new ApiError('ForbiddenError', 'Your account may not use the console').because({
          message: 'the role of this user needs "console: true" in the file',
        })
      return start({ id, epoch }, userAgent)
    },

    async logInByEmail({ address, userAgent, readEmail }) {
      const email = await requests.countWhile({ address }, readEmail)
      const account = await accounts.findBy('email', email.toLowerCase())
      if (account === undefined) return undefined
      const { id, epoch } = account
      return (await findUser({ userId: id, epoch })) && start({ id, epoch }, userAgent)
    },

    async find(secret) {
      if (!SECRET.test(secret)) return undefined
      const family = computeDigest(`family ${secret}`)
      const session = await store.find(family)
      const moment = now()
      if (session === undefined || moment >= session.idleUntil || moment >= session.endsAt) return undefined
      const user = await findUser(session)
      if (user === undefined) return undefined
      await touch(session, family, moment)
      const { id, epoch } = session
      return { id, user, issueToken: () => tokens.issue({ id: user.id, epoch, session: id }) }
    },

    list: ({ id, user }) => sessions.list(user.id, id),
    end: (userId, id) => sessions.end(userId, id),
    async endAll(userId) {
      await sessions.endAll(userId)
    },
  }
}

function computeDigest(text: string): string {
  return createHash('sha256').update(`console ${text}`).digest('hex')
}
