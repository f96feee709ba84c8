// Implements `cms-run sessions list` and `cms-run sessions revoke [file] --user <email or id>`.

import { toPrintable } from '../../lib/printable.ts'
import type { CommandResult, CommandTarget, PluginCommand } from '../plugin.ts'
import { findUserId } from './find-user-id.ts'
import { createStoredSessions, hasSessions, type StoredSession } from './stored-sessions.ts'

const stored = 'sessions'

export const sessionCommands: Readonly<Record<string, PluginCommand>> = {
  sessions: {
    stored,
    run: (target) =>
      withUser(target, async ({ store, user }) => {
        const moment = Date.now()
        const all = store === undefined ? [] : await store.ofUser(user)
        const sessions = all
          .filter(({ idleUntil, endsAt }) => moment < idleUntil && moment < endsAt)
          .map(toListedSession)
        return { document: { user, sessions }, text: formatSessions(sessions) }
      }),
  },
  'sessions revoke': {
    stored,
    run: (target) =>
      withUser(target, async ({ store, user }) => {
        const ended = store === undefined ? 0 : await store.endAll(user)
        const text = `${ended} ${ended === 1 ? 'session' : 'sessions'} of user ${user} ended\n`
        return { document: { user, ended }, text }
      }),
  },
}

interface FoundUser {
  /** Undefined if the table does not exist yet. */
  readonly store: ReturnType<typeof createStoredSessions> | undefined
  readonly user: number
}

async function withUser(
  { database, model: { userType }, flags: { user: named = '' } }: CommandTarget,
  task: (found: FoundUser) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (userType === undefined) return { fault: 'the file has no users: users-permissions is off' }
  const user = await findUserId(database, userType, named)
  if (user === undefined) return { fault: `the database has no user "${toPrintable(named)}"` }
  const store = (await hasSessions(database)) ? createStoredSessions(database) : undefined
  return task({ store, user })
}

interface ListedSession {
  readonly id: string
  readonly deviceId: string | null
  readonly deviceName: string | null
  readonly loginAt: string
  readonly lastActiveAt: string
}

function toListedSession({ id, device, deviceName, loginAt, activeAt }: StoredSession): ListedSession {
  return {
    id,
    deviceId: device ?? null,
    deviceName: deviceName ?? null,
    loginAt: new Date(loginAt).toISOString(),
    lastActiveAt: new Date(activeAt).toISOString(),
  }
}

function formatSessions(sessions: readonly ListedSession[]): string {
  if (sessions.length === 0) return 'the user has no sessions\n'
  return sessions
    .map(({ id, deviceId, deviceName, loginAt, lastActiveAt }) => {
      const device = toPrintable(deviceName ?? deviceId ?? 'unknown device')
      return `${id}  ${device}  since ${loginAt}  last active ${lastActiveAt}\n`
    })
    .join('')
}
