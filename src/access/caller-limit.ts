// Limits how many requests of the API one caller may make. A caller takes requests from the store of tries a portion at a
// time, which all processes share; within a portion a request costs no statement and no promise (decision 0012).

import { createHash } from 'node:crypto'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { AttemptStore } from './attempt-store.ts'
import type { Principal } from './principal.ts'
import { addressBucket } from './rate-limit.ts'

interface CallerLimitOptions {
  /** `address`: all callers of one address together; `caller`: users and API tokens by themselves. */
  readonly per: 'caller' | 'address'
  /** Requests within the interval. */
  readonly max: number
  /** Milliseconds. */
  readonly interval: number
  readonly store: AttemptStore
  /** Epoch milliseconds. */
  now(): number
}

/** Undefined: the request may go on. Throws RateLimitError, or rejects with it. */
export type AdmitCaller = (address: string, principal: Principal) => undefined | Promise<void>

/** Portions that make up the limit; what a process takes and does not use is lost to the others. */
const PORTIONS = 20

/** Callers that are remembered; the least recently seen begin again with the store. */
const KEPT = 65_536

interface Portion {
  left: number
  /** Until when it may be used up; where there was none to take, until when that holds. */
  readonly until: number
  readonly refused: boolean
}

export function createCallerLimit({ per, max, interval, store, now }: CallerLimitOptions): AdmitCaller {
  const size = Math.max(1, Math.floor(max / PORTIONS))
  const most = Math.floor(max / size)
  const portions = new BoundedCache<Portion>({ budget: KEPT })
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
      // Requests that come at the same time wait for one portion.
      const waiting = taking.get(key) ?? takePortion(key).finally(() => taking.delete(key))
      taking.set(key, waiting)
      const portion = await waiting
      if (use(portion)) return
    }
  }

  /** Whether the portion had a request left. Throws RateLimitError while it says that there are none. */
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
    // Portions belong to the counts from which they were taken; what is left of one is lost.
    if (store.restorations !== restorations) {
      restorations = store.restorations
      portions.clear()
    }
    const key = per === 'caller' ? callerKey(address, principal) : addressKey(address)
    const portion = portions.get(key)
    return portion !== undefined && use(portion) ? undefined : admitFrom(key)
  }
}

/** Equal for requests of one user or API token, and without a token for those of one address. */
export function callerKey(address: string, { kind, name, id, subject }: Principal): string {
  if (kind === 'api-token') return `token ${name}`
  if (id !== undefined) return `user ${id}`
  if (subject !== undefined) return `subject ${subject}`
  return addressKey(address)
}

function addressKey(address: string): string {
  return `address ${addressBucket(address)}`
}
