// Hashes a password with argon2id (OWASP: 19 MiB, two passes), in the password queue.

import { ApiError } from '../errors/api-error.ts'
import { inPasswordQueue, LONGEST_PASSWORD } from './password-queue.ts'

const ALGORITHM_ARGON2ID = 2
const OPTIONS = { algorithm: ALGORITHM_ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Rejects with ServiceUnavailableError (503) when too many are waiting, ValidationError when it is too long. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > LONGEST_PASSWORD) {
    throw new ApiError('ValidationError', `A password must be at most ${LONGEST_PASSWORD} bytes`)
  }
  return inPasswordQueue(async () => {
    const { hash } = await import('@node-rs/argon2')
    return hash(password, OPTIONS)
  })
}
