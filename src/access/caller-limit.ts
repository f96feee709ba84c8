// Limits the requests of each caller. A process takes them from the shared store in portions, so that most
// requests cost no statement.

import { createHash } from 'node:crypto'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { AttemptStore } from './attempt-store.ts'
import type { Principal } from './principal.ts'
import { buildAddressBucket } from './rate-limit.ts'

interface CallerLimitOptions {
  /** `address`: all callers of one address together; `caller`: each user and API token separately. */
  readonly per: 'caller' | 'address'
  readonly max: number
  /** Milliseconds. */
  readonly interval: number
  readonly store: AttemptStore
  /** Epoch milliseconds. */
  now(): number
}

/** Returns undefined when the request may go on. Throws RateLimitError, or rejects with it. */
export type AdmitCaller = (address: string, principal: Principal) => undefined | Promise<void>

/** Requests of a portion that a process does not use are lost to the others. */
const PORTIONS_PER_LIMIT = 20

const MAX_CALLERS = 65_536

interface Portion {
  left: number
  /** Of a refused portion: until when the refusal holds. */
  readonly until: number
  readonly refused: boolean
}

export function createCallerLimit({ per, max, interval, store, now }: CallerLimitOptions): AdmitCaller {
  const size = Math.max(1, Math.floor(max / PORTIONS_PER_LIMIT))
  const most = Math.floor(max / size)
  const portions = new BoundedCache<Portion>({ budget: MAX_CALLERS })
  const taking = new Map<string, Promise<Portion>>()
  let restorations = store.restorations

  async function takePortion(key: string): Promise<Portion> {
    const moment = now()
    const hashed = createHash('sha256').update(`requests ${key}`).digest('base64url')
    const taken = await store.take([{ key: hashed, most }], moment, interval)
    const refused = !('tries' in taken)
    const portion = refused
      ? { left: 0, until: taken.refusedUntil, refused }
      : { left: size, until: moment + interval, refused }
    portions.set(key, portion)
    return portion
  }

  async function admitFrom(key: string): Promise<void> {
    for (;;) {
      // Concurrent requests wait for one portion.
      const waiting = taking.get(key) ?? takePortion(key).finally(() => taking.delete(key))
      taking.set(key, waiting)
      const portion = await waiting
      if (use(portion)) return
    }
  }

  /** Throws RateLimitError while a refusal holds. */
  function use(portion: Portion): boolean {
    const moment = now()
    if (portion.until <= moment) return false
    if (portion.refused) throw tooMany(portion.until, moment)
    if (portion.left === 0) return false
    portion.left -= 1
    return true
  }

  function tooMany(until: number, moment: number): ApiError {
    return new ApiError(
      'RateLimitError',
      'Too many requests, please try again later.',
      {},
      {
        'retry-after': String(Math.max(1, Math.ceil((until - moment) / 1000))),
        'x-ratelimit-limit': String(max),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(until / 1000)),
      },
    )
  }

  return (address, principal) => {
    // Portions belong to the counts from which they were taken.
    if (store.restorations !== restorations) {
      restorations = store.restorations
      portions.clear()
    }
    const key = per === 'caller' ? buildCallerKey(address, principal) : addressKey(address)
    const portion = portions.get(key)
    return portion !== undefined && use(portion) ? undefined : admitFrom(key)
  }
}

export function buildCallerKey(address: string, { kind, name, id, subject }: Principal): string {
  if (kind === 'api-token') return `token ${name}`
  if (id !== undefined) return `user ${id}`
  if (subject !== undefined) return `subject ${subject}`
  return addressKey(address)
}

function addressKey(address: string): string {
  return `address ${buildAddressBucket(address)}`
}
