// Manages user sessions: an access token for minutes and a refresh token for one exchange. A refresh token
// used twice was copied and ends its session.

import { randomBytes } from 'node:crypto'
import type { UserTokens } from '../../access/json-web-token.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { Account, Accounts } from './accounts.ts'
import type { SessionOptions } from './options.ts'
import { createRefreshToken, readRefreshToken, rotateRefreshToken } from './refresh-token.ts'
import type { SessionStore, StoredSession } from './stored-sessions.ts'

export interface Device {
  /** Chosen by the client. */
  readonly id: string | undefined
  readonly name: string | undefined
}

interface SessionTokens {
  readonly jwt: string
  readonly refreshToken: string
}

/** In Strapi's words, for the session's user. */
interface ShownSession {
  readonly id: string
  readonly deviceId: string | undefined
  readonly deviceName: string | undefined
  readonly current: boolean
  readonly loginAt: string
  readonly lastActiveAt: string
}

export type LogoutScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'device'; readonly device: string }
  | { readonly kind: 'session'; readonly id: string | undefined }

export interface Sessions {
  start(account: Pick<Account, 'id' | 'epoch'>, device: Device): Promise<SessionTokens>
  /** Throws UnauthorizedError for an invalid token, without a reason. */
  refresh(refreshToken: string): Promise<SessionTokens>
  /** Finds the session of a refresh token. */
  getId(userId: number, refreshToken: string): Promise<string | undefined>
  list(userId: number, current: string | undefined): Promise<readonly ShownSession[]>
  /** Returns whether the session existed. */
  end(userId: number, id: string): Promise<boolean>
  /** Returns the number of sessions. */
  endAll(userId: number): Promise<number>
  logOut(userId: number, scope: LogoutScope): Promise<void>
}

interface SessionContext {
  readonly store: SessionStore
  readonly accounts: Pick<Accounts, 'findBy'>
  readonly tokens: UserTokens
  readonly options: SessionOptions
  readonly emailConfirmation: boolean
  now(): number
  /** Called with the user's id when a token is used a second time. */
  onReuse(userId: number): void
}

const ID_BYTES = 16

export function createSessions(context: SessionContext): Sessions {
  const { store, accounts, tokens, options, emailConfirmation, now, onReuse } = context
  const refuse = () => new ApiError('UnauthorizedError', 'Invalid refresh token')

  function lives(session: StoredSession, account: Account | undefined): account is Account {
    if (account === undefined || account.blocked || account.epoch !== session.epoch) return false
    if (emailConfirmation && !account.confirmed) return false
    const moment = now()
    return moment < session.idleUntil && moment < session.endsAt
  }

  return {
    async start({ id, epoch }, device) {
      const token = createRefreshToken()
      const session = randomBytes(ID_BYTES).toString('hex')
      const moment = now()
      const endsAt = moment + options.longest
      await store.add(
        {
          ...{ id: session, userId: id, epoch, token: token.token },
          ...{ device: device.id, deviceName: device.name },
          ...{ loginAt: moment, activeAt: moment, endsAt },
          idleUntil: Math.min(moment + options.idle, endsAt),
        },
        token.family,
      )
      return { jwt: await tokens.issue({ id, epoch, session }), refreshToken: token.text }
    },

    async refresh(text) {
      const token = readRefreshToken(text)
      const session = token && (await store.find(token.family))
      if (token === undefined || session === undefined) throw refuse()
      const account = await accounts.findBy('id', session.userId)
      if (!lives(session, account)) {
        await store.end(session.userId, session.id)
        throw refuse()
      }
      const next = rotateRefreshToken(token)
      const moment = now()
      const rotated = await store.rotate({
        family: token.family,
        from: token.token,
        to: next.token,
        activeAt: moment,
        idleUntil: Math.min(moment + options.idle, session.endsAt),
      })
      if (!rotated) {
        onReuse(session.userId)
        throw refuse()
      }
      const { id, epoch } = account
      return { jwt: await tokens.issue({ id, epoch, session: session.id }), refreshToken: next.text }
    },

    async getId(userId, text) {
      const token = readRefreshToken(text)
      const session = token && (await store.find(token.family))
      return session?.userId === userId && session.token === token?.token ? session.id : undefined
    },

    async list(userId, current) {
      const account = await accounts.findBy('id', userId)
      const all = await store.ofUser(userId)
      return all
        .filter((session) => lives(session, account))
        .map(({ id, device, deviceName, loginAt, activeAt }) => ({
          id,
          deviceId: device,
          deviceName,
          current: id === current,
          loginAt: new Date(loginAt).toISOString(),
          lastActiveAt: new Date(activeAt).toISOString(),
        }))
        .sort((one, other) => Number(other.current) - Number(one.current))
    },

    end: (userId, id) => store.end(userId, id),
    endAll: (userId) => store.endAll(userId),

    async logOut(userId, scope) {
      if (scope.kind === 'device') await store.endDevice(userId, scope.device)
      else if (scope.kind === 'session' && scope.id !== undefined) await store.end(userId, scope.id)
      else await store.endAll(userId)
    },
  }
}
