// Stores `Idempotency-Key`s with the responses to their first requests, for all processes over one database.

import { type Database, run, type Work } from '../storage/database.ts'
import { createRequestKeyStatements } from './request-key-table.ts'

interface StoredResponse {
  readonly status: number
  readonly contentType: string
  /** Null if the response was too long to store. */
  readonly body: string | null
}

export interface RequestKeyClaim {
  readonly fingerprint: string
  /** Undefined while the first request runs, or if its process ended meanwhile. */
  readonly response: StoredResponse | undefined
}

export interface RequestKeys {
  /** Times in epoch milliseconds. Returns the earlier claim, or undefined if the key is now the caller's. */
  claim(key: string, fingerprint: string, now: number, end: number): Promise<RequestKeyClaim | undefined>
  finish(key: string, response: StoredResponse): Promise<void>
  release(key: string): Promise<void>
}

/** Milliseconds between two deletions of keys that have ended. */
const FORGET_INTERVAL_MS = 60_000

export function createRequestKeys(database: Database): RequestKeys {
  const { dialect } = database
  let compiled: ReturnType<typeof createRequestKeyStatements> | undefined
  // Compiled for the first key, so that a start does not wait for it.
  const statements = () => (compiled ??= createRequestKeyStatements(dialect))
  const encoded = (moment: number) => dialect.encode('biginteger', moment)
  let forgotten = 0

  function* claim(
    key: string,
    fingerprint: string,
    now: number,
    end: number,
  ): Work<RequestKeyClaim | undefined> {
    const [row] = yield* run(statements().find, [key])
    // Two at once: the second one conflicts, runs again, and finds the key.
    if (row === undefined) {
      yield* run(statements().claim, [key, fingerprint, encoded(end)])
      return undefined
    }
    const [first, status, contentType, body, endsAt] = row
    if (Number(endsAt) < now) {
      yield* run(statements().renew, [fingerprint, encoded(end), key])
      return undefined
    }
    const response =
      status === null || status === undefined
        ? undefined
        : {
            status: Number(status),
            contentType: String(contentType),
            body: typeof body === 'string' ? body : null,
          }
    return { fingerprint: String(first), response }
  }

  return {
    async claim(key, fingerprint, now, end) {
      if (now - forgotten > FORGET_INTERVAL_MS) {
        forgotten = now
        await database.transaction(() => run(statements().forget, [encoded(now)]))
      }
      return await database.transaction(() => claim(key, fingerprint, now, end))
    },
    async finish(key, { status, contentType, body }) {
      await database.transaction(() => run(statements().finish, [status, contentType, body, key]))
    },
    async release(key) {
      await database.transaction(() => run(statements().release, [key]))
    },
  }
}
