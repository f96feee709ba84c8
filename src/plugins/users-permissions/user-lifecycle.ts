// What holds for users through whichever door they are written: addresses are in small letters, and a new password ends
// the tokens and the code for a reset that were issued under the old one (RELIABILITY C11).

import type { Lifecycle } from '../../content/lifecycle.ts'
import type { ContentType } from '../../model/content-type.ts'
import { type Accounts, nextEpoch } from './accounts.ts'

export interface UserLifecycleParts {
  readonly userType: ContentType
  readonly accounts: Pick<Accounts, 'findBy'>
  now(): number
}

export function createUserLifecycle({ userType, accounts, now }: UserLifecycleParts): Lifecycle {
  return {
    appliesTo: (type) => type === userType,
    async prepare(event) {
      const { data, id } = event
      const { email, password } = data
      if (typeof email === 'string') event.data = { ...data, email: email.toLowerCase() }
      if (event.action !== 'update' || id === undefined || password === undefined) return
      // Who says which epoch it is has thought of it.
      if (Object.hasOwn(data, 'tokenEpoch')) return
      const before = await accounts.findBy('id', id)
      const tokenEpoch = nextEpoch(before?.epoch ?? 0, now())
      event.data = { ...event.data, tokenEpoch, resetPasswordToken: null }
    },
  }
}
