// `cms-run sessions list [file] --user <email or id>`: the sessions of a user; `cms-run sessions revoke [file] --user …`:
// ends them.

import { printable } from '../../lib/printable.ts'
import { createStoredSessions, hasSessions, type StoredSession } from '../../storage/stored-sessions.ts'
import { readUserId } from '../../storage/user-id.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { withStoredDatabase } from './with-stored-database.ts'

export const listSessions = (invocation: Invocation): Promise<number> =>
  ofUser(invocation, async ({ store, user }) => {
    const moment = Date.now()
    const all = store === undefined ? [] : await store.ofUser(user)
    const sessions = all
      .filter(({ idleUntil, endsAt }) => moment < idleUntil && moment < endsAt)
      .map(shownSession)
    invocation.reporter.result({ user, sessions }, buildTable(sessions))
  })

export const revokeSessions = (invocation: Invocation): Promise<number> =>
  ofUser(invocation, async ({ store, user }) => {
    const ended = store === undefined ? 0 : await store.endAll(user)
    invocation.reporter.result(
      { user, ended },
      `${ended} ${ended === 1 ? 'session' : 'sessions'} of user ${user} ended\n`,
    )
  })

interface FoundUser {
  /** Undefined where no server has made the table yet. */
  readonly store: ReturnType<typeof createStoredSessions> | undefined
  readonly user: number
}

function ofUser(invocation: Invocation, task: (found: FoundUser) => Promise<void>): Promise<number> {
  const { reporter, command } = invocation
  const named = command.flags.user ?? ''
  return withStoredDatabase(invocation, 'sessions', async (database, model) => {
    const { userType } = model
    if (userType === undefined) return reporter.fail('the file has no users: users-permissions is off')
    const user = await readUserId(database, userType, named)
    if (user === undefined) return reporter.fail(`the database has no user "${printable(named)}"`)
    const store = (await hasSessions(database)) ? createStoredSessions(database) : undefined
    await task({ store, user })
    return exitCodes.ok
  })
}

interface ShownSession {
  readonly id: string
  readonly deviceId: string | null
  readonly deviceName: string | null
  readonly loginAt: string
  readonly lastActiveAt: string
}

function shownSession({ id, device, deviceName, loginAt, activeAt }: StoredSession): ShownSession {
  return {
    id,
    deviceId: device ?? null,
    deviceName: deviceName ?? null,
    loginAt: new Date(loginAt).toISOString(),
    lastActiveAt: new Date(activeAt).toISOString(),
  }
}

function buildTable(sessions: readonly ShownSession[]): string {
  if (sessions.length === 0) return 'the user has no sessions\n'
  return sessions
    .map(({ id, deviceId, deviceName, loginAt, lastActiveAt }) => {
      const device = printable(deviceName ?? deviceId ?? 'unknown device')
      return `${id}  ${device}  since ${loginAt}  last active ${lastActiveAt}\n`
    })
    .join('')
}
