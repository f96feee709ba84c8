// A password and a stored hash -> whether they belong together: argon2id, or bcrypt from a Strapi project. Where
// there is no hash, one is compared all the same, so that the time says nothing.

import { inPasswordQueue, LONGEST_PASSWORD } from './password-queue.ts'

/** Of a password that nobody knows, made with the parameters of `hash-password.ts`. */
const HASH_FOR_UNKNOWN_USERS =
  '$argon2id$v=19$m=19456,t=2,p=1$Khr6hOuKVFr8aL47Hnx+2w$ujLsHxQJsvDH/E7owkFDAVjAeJ0YaL3p4/Rm9noywJw'

const BCRYPT = /^\$2[aby]\$\d\d\$/

/** Whether the hash should be replaced at the next chance: it is not what `hash-password.ts` makes. */
export function isOutdatedHash(hash: string): boolean {
  return BCRYPT.test(hash)
}

/** Rejects with ServiceUnavailableError (503) when too many are waiting. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  // Such a password was never stored, whoever it is for.
  if (Buffer.byteLength(password) > LONGEST_PASSWORD) return false
  return inPasswordQueue(async () => {
    if (hash !== undefined && BCRYPT.test(hash)) {
      const { compare } = await import('bcryptjs')
      return compare(password, hash)
    }
    const { verify } = await import('@node-rs/argon2')
    const right = await verify(hash ?? HASH_FOR_UNKNOWN_USERS, password)
    return right && hash !== undefined
  })
}
