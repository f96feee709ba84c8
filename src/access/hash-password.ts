// Hashes passwords with argon2id (OWASP: 19 MiB, two passes).

import { ApiError } from '../lib/errors/api-error.ts'
import { MAX_PASSWORD_BYTES, runInPasswordQueue } from './password-queue.ts'

const ALGORITHM_ARGON2ID = 2
interface Cost {
  readonly algorithm: typeof ALGORITHM_ARGON2ID
  /** Kibibytes. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

const OPTIONS: Cost = { algorithm: ALGORITHM_ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The minimum that argon2 accepts; no protection, for tests only. */
const WEAK: Cost = { ...OPTIONS, memoryCost: 8, timeCost: 1 }

/**
 * Rejects with ServiceUnavailableError (503) when the queue is full, ValidationError when the password is too
 * long.
 */
export function hashPassword(password: string): Promise<string> {
  return hashWith(OPTIONS, password)
}

export function hashWeakly(password: string): Promise<string> {
  return hashWith(WEAK, password)
}

async function hashWith(options: Cost, password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw new ApiError('ValidationError', `A password must be at most ${MAX_PASSWORD_BYTES} bytes`)
  }
  return runInPasswordQueue(async () => {
    const { hash } = await import('@node-rs/argon2')
    return hash(password, options)
  })
}
