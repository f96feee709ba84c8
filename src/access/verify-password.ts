// Checks a password against a stored hash: argon2id, or bcrypt of a Strapi project. Without a hash, another one is
// compared, so that the time does not tell whether the user exists.

import { inPasswordQueue, MAX_PASSWORD_BYTES } from './password-queue.ts'

/** The hash of an unknown password, made with the parameters of `hash-password.ts`. */
const HASH_FOR_UNKNOWN_USERS =
  '$argon2id$v=19$m=19456,t=2,p=1$Khr6hOuKVFr8aL47Hnx+2w$ujLsHxQJsvDH/E7owkFDAVjAeJ0YaL3p4/Rm9noywJw'

const BCRYPT = /^\$2[aby]\$\d\d\$/

/** Whether the hash should be replaced at the next login, because `hash-password.ts` makes another kind. */
export function isOutdatedHash(hash: string): boolean {
  return BCRYPT.test(hash)
}

/** Rejects with ServiceUnavailableError (503) when too many are waiting. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  // A password of this length was never stored for any user.
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
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
