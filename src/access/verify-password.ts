// Checks a password against an argon2id hash, or a bcrypt hash of a Strapi project.

import { MAX_PASSWORD_BYTES, runInPasswordQueue } from './password-queue.ts'

/**
 * Compared for unknown users, so that the time does not reveal whether a user exists; made with the
 * parameters of `hash-password.ts`.
 */
const HASH_FOR_UNKNOWN_USERS =
  '$argon2id$v=19$m=19456,t=2,p=1$Khr6hOuKVFr8aL47Hnx+2w$ujLsHxQJsvDH/E7owkFDAVjAeJ0YaL3p4/Rm9noywJw'

const BCRYPT = /^\$2[aby]\$\d\d\$/

export function isOutdatedHash(hash: string): boolean {
  return BCRYPT.test(hash)
}

/** Rejects with ServiceUnavailableError (503) when the queue is full. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
  return runInPasswordQueue(async () => {
    if (hash !== undefined && BCRYPT.test(hash)) {
      const { compare } = await import('bcryptjs')
      return compare(password, hash)
    }
    const { verify } = await import('@node-rs/argon2')
    const right = await verify(hash ?? HASH_FOR_UNKNOWN_USERS, password)
    return right && hash !== undefined
  })
}
