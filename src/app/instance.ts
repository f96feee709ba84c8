// What differs between a server and an instance that a program opens for its tests.

import { hashPassword, weakHash } from '../auth/hash-password.ts'
import type { RoleTokens } from '../auth/role-tokens.ts'
import type { HashPassword } from '../content/hash-passwords.ts'

export interface Instance {
  /** Epoch milliseconds. */
  now(): number
  readonly hashPassword: HashPassword
  /** Whether tests run it: logins are limited only where the file says so. */
  readonly testing: boolean
  /** Undefined where no request can be made as a role. */
  readonly roleTokens: RoleTokens | undefined
}

export const server: Instance = {
  // Looks up `Date.now` at each call: a program may replace it at any time.
  now: () => Date.now(),
  hashPassword,
  testing: false,
  roleTokens: undefined,
}

/** `clock` is the program's; `testing` makes hashes of passwords cheap, and easy to break. */
export function embedded(clock: () => Date, testing: boolean, roleTokens: RoleTokens): Instance {
  return {
    now: () => clock().getTime(),
    hashPassword: testing ? weakHash : hashPassword,
    testing,
    roleTokens,
  }
}
