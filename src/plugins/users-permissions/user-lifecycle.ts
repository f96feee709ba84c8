// Rules for every write of users, through any API: addresses are in lower case, and a new password ends the tokens and
// the reset code that were issued under the old one.

import { everyPermission } from '../../auth/principal.ts'
import type { Lifecycle } from '../../content/lifecycle.ts'
import type { ContentType } from '../../model/content-type.ts'
import { planWrite } from '../../plan/write/plan-write.ts'
import { type Accounts, nextEpoch } from './accounts.ts'

export interface UserLifecycleParts {
  readonly userType: ContentType
  readonly accounts: Pick<Accounts, 'findBy'>
  now(): number
}

const EPOCH = 'users-permissions.epoch'

export function createUserLifecycle({ userType, accounts, now }: UserLifecycleParts): Lifecycle {
  return {
    appliesTo: (type) => type === userType,
    async prepare(event) {
      const { action, data, id, trusted } = event
      const { email, password } = data
      if (typeof email === 'string') event.data = { ...data, email: email.toLowerCase() }
      // Writes by the runtime set the epoch themselves.
      if (trusted || action !== 'update' || id === undefined || password === undefined) return
      const before = await accounts.findBy('id', id)
      event.state[EPOCH] = nextEpoch(before?.epoch ?? 0, now())
    },
    *after({ id, state }, _plan, within) {
      const tokenEpoch = state[EPOCH]
      if (typeof tokenEpoch !== 'number' || id === undefined) return
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
