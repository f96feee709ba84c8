// Enforces rules for every write of users: lower-case addresses, no name that equals another login. A new
// password ends tokens, sessions and reset codes; blocking or deleting a user ends the sessions.

import { everyPermission } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import { planWrite } from '../../plan/write/plan-write.ts'
import type { Work } from '../../storage/database.ts'
import type { Lifecycle, WithinTransaction, WriteEvent } from '../../write/lifecycle.ts'
import { type Accounts, getNextEpoch } from './accounts.ts'
import type { SessionStore } from './stored-sessions.ts'

interface UserLifecycleOptions {
  readonly userType: ContentType
  readonly accounts: Pick<Accounts, 'findBy'>
  /** Undefined if sessions are off. */
  readonly sessions: Pick<SessionStore, 'endingAll'> | undefined
  now(): number
}

const EPOCH = 'users-permissions.epoch'

export function createUserLifecycle({ userType, accounts, sessions, now }: UserLifecycleOptions): Lifecycle {
  return {
    appliesTo: (type) => type === userType,
    async prepare(event) {
      const { action, data, id, trusted } = event
      const { email, password, blocked } = data
      if (typeof email === 'string') event.data = { ...data, email: email.toLowerCase() }
      // The server's own writes set the epoch themselves.
      if (trusted || action !== 'update' || id === undefined) return
      const blocks = sessions !== undefined && blocked === true
      if (password === undefined && !blocks) return
      const before = await accounts.findBy('id', id)
      event.state[EPOCH] = getNextEpoch(before?.epoch ?? 0, now())
    },
    *before(event, _plan, within) {
      if (event.action !== 'delete') yield* assertUnmistakable(event, within)
    },
    *after({ action, id, state }, _plan, within) {
      const tokenEpoch = state[EPOCH]
      const newEpoch = typeof tokenEpoch === 'number'
      // Sessions of another epoch are already over; this removes their rows.
      const ends = newEpoch || action === 'delete'
      if (ends && id !== undefined && sessions !== undefined) yield* sessions.endingAll(id)
      if (!newEpoch || id === undefined) return
      const data = { tokenEpoch, resetPasswordToken: null }
      const { plan } = planWrite(userType, data, {
        access: everyPermission,
        trusted: true,
        now: now(),
        mode: 'update',
        draft: false,
      })
      yield* within.update(plan, id)
    },
  }
}

/** Throws ApplicationError. Runs within the transaction of the write. */
function* assertUnmistakable(
  { type, data, id }: Pick<WriteEvent, 'type' | 'data' | 'id'>,
  within: WithinTransaction,
): Work<void> {
  const { username, email } = data
  const others = id === undefined ? {} : { id: { $ne: id } }
  function* isAnothers(name: 'username' | 'email', value: string): Work<boolean> {
    const filters = { [name]: { $eq: value }, ...others }
    const page = { kind: 'offset', start: 0, limit: 1 } as const
    return (yield* within.find(type, { fields: ['id'], filters, pagination: page })).length > 0
  }
  // Addresses are stored in lower case.
  if (typeof username === 'string' && (yield* isAnothers('email', username.trim().toLowerCase())))
    throw new ApiError('ApplicationError', 'Username already taken')
  if (typeof email === 'string' && (yield* isAnothers('username', email)))
    throw new ApiError('ApplicationError', 'Email already taken')
}
