// A password -> an argon2id hash (OWASP: 19 MiB, two passes), a few at a time: hashing is made to be expensive,
// and a flood of it must not take the machine from those who only read.

import { availableParallelism } from 'node:os'
import { ApiError } from '../errors/api-error.ts'

const ALGORITHM_ARGON2ID = 2
const OPTIONS = { algorithm: ALGORITHM_ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Longest password in bytes of UTF-8; nothing is cut off. */
const LONGEST = 1024

const running = new Set<Promise<string>>()
const MOST_WAITING = 64

/** Rejects with ServiceUnavailableError (503) when too many are waiting, ValidationError when it is too long. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > LONGEST) {
    throw new ApiError('ValidationError', `A password must be at most ${LONGEST} bytes`)
  }
  if (waiting >= MOST_WAITING) {
    throw new ApiError(
      'ServiceUnavailableError',
      'Too many passwords at once, try again',
      {},
      { 'retry-after': '1' },
    )
  }
  waiting += 1
  try {
    while (running.size >= availableParallelism()) await Promise.race(running)
  } finally {
    waiting -= 1
  }
  const hashing = import('@node-rs/argon2').then(({ hash }) => hash(password, OPTIONS))
  running.add(hashing)
  try {
    return await hashing
  } finally {
    running.delete(hashing)
  }
}

let waiting = 0
