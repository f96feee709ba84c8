// Stores user sessions beside the content, so that all processes of a database share them. Only digests of
// refresh tokens are stored.

import { hasTables } from '../../storage/check-drift.ts'
import { type Database, run, type Work } from '../../storage/database.ts'
import type { SqlRow } from '../../storage/sql/statement.ts'
import { createSessionStatements, sessionColumns, sessionTable } from './session-table.ts'

export interface StoredSession {
  /** Public: it identifies the session in lists and access tokens. */
  readonly id: string
  readonly userId: number
  /** The user's token epoch at the login; another epoch ends the session. */
  readonly epoch: number
  /** The digest of the valid refresh token. */
  readonly token: string
  readonly device: string | undefined
  readonly deviceName: string | undefined
  /** Epoch milliseconds, as are the next fields. */
  readonly loginAt: number
  readonly activeAt: number
  readonly idleUntil: number
  readonly endsAt: number
}

interface Rotation {
  readonly family: string
  readonly from: string
  readonly to: string
  readonly activeAt: number
  readonly idleUntil: number
}

export interface SessionStore {
  /**
   * `family`: digest of the shared beginning of the session's refresh tokens. A new login on a device ends
   * its previous session.
   */
  add(session: StoredSession, family: string): Promise<void>
  find(family: string): Promise<StoredSession | undefined>
  /** Returns whether `from` was the valid token. If not, the session is ended. */
  rotate(rotation: Rotation): Promise<boolean>
  /** The session used last is first. */
  ofUser(userId: number): Promise<readonly StoredSession[]>
  /** Returns whether the session existed. */
  end(userId: number, id: string): Promise<boolean>
  endDevice(userId: number, device: string): Promise<void>
  /** Returns the number of sessions. */
  endAll(userId: number): Promise<number>
  /** The same, as part of a transaction. */
  endingAll(userId: number): Work<number>
}

/** Sessions per user: one login more ends the least recently used. */
const MAX_SESSIONS = 100

/** Milliseconds between deletions of ended sessions. */
const FORGET_INTERVAL_MS = 60_000

export function createStoredSessions(database: Database): SessionStore {
  const { dialect } = database
  const statements = createSessionStatements(dialect)
  const big = (value: number) => dialect.encode('biginteger', value)
  let forgotten = 0

  function* endingAll(userId: number): Work<number> {
    return (yield* run(statements.endAll, [big(userId)])).length
  }

  return {
    async add(session, family) {
      const { id, userId, epoch, token, device, deviceName, loginAt, activeAt, idleUntil, endsAt } = session
      await database.transaction(function* () {
        if (device !== undefined) yield* run(statements.endDevice, [big(userId), device])
        yield* run(statements.add, [
          ...[id, big(userId), big(epoch), family, token, device ?? null, deviceName ?? null],
          ...[loginAt, activeAt, idleUntil, endsAt].map(big),
        ])
        yield* run(statements.keepNewest, [big(userId), big(userId), big(MAX_SESSIONS)])
      })
      if (activeAt - forgotten < FORGET_INTERVAL_MS) return
      forgotten = activeAt
      await database.transaction(() => run(statements.forget, [big(activeAt)]))
    },
    async find(family) {
      const [row] = await database.read(() => run(statements.byFamily, [family]), { single: true })
      return row === undefined ? undefined : getSession(row)
    },
    async rotate({ family, from, to, activeAt, idleUntil }) {
      return database.transaction(function* () {
        const values = [to, big(activeAt), big(idleUntil), family, from]
        if ((yield* run(statements.rotate, values)).length > 0) return true
        yield* run(statements.endFamily, [family])
        return false
      })
    },
    async ofUser(userId) {
      const values = [big(userId), big(MAX_SESSIONS)]
      return (await database.read(() => run(statements.ofUser, values), { single: true })).map(getSession)
    },
    async end(userId, id) {
      const ended = await database.transaction(() => run(statements.end, [big(userId), id]))
      return ended.length > 0
    },
    async endDevice(userId, device) {
      await database.transaction(() => run(statements.endDevice, [big(userId), device]))
    },
    endAll: async (userId) => database.transaction(() => endingAll(userId)),
    endingAll,
  }
}

export async function hasSessions(database: Database): Promise<boolean> {
  return database.read(() => hasTables(database.dialect, [sessionTable]))
}

function getSession(row: SqlRow): StoredSession {
  const of = new Map(sessionColumns.map((name, index) => [name, row[index]]))
  const text = (name: (typeof sessionColumns)[number]) => String(of.get(name))
  const optional = (name: (typeof sessionColumns)[number]) =>
    typeof of.get(name) === 'string' ? text(name) : undefined
  const number = (name: (typeof sessionColumns)[number]) => Number(of.get(name))
  return {
    id: text('session'),
    userId: number('user_id'),
    epoch: number('epoch'),
    token: text('token'),
    device: optional('device'),
    deviceName: optional('device_name'),
    loginAt: number('login_at'),
    activeAt: number('active_at'),
    idleUntil: number('idle_until'),
    endsAt: number('ends_at'),
  }
}
