// Limits attempts, such as logins, with a sliding window per key.

import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ApiError } from '../lib/errors/api-error.ts'
import type { AttemptBucket, AttemptStore } from './attempt-store.ts'

interface RateLimitOptions {
  /** Milliseconds. */
  readonly interval: number
  readonly max: number
  readonly store: AttemptStore
  /** Epoch milliseconds. */
  now(): number
}

export interface RateLimit {
  /** Rejects with RateLimitError, which has the headers too; a refused attempt does not count. */
  take(route: string, address: string, identifier: string): Promise<RateLimitHeaders>
  /** Takes back a counted attempt. */
  giveBack(route: string, address: string, identifier: string): Promise<RateLimitHeaders>
}

/** Strapi's headers; the reset is in seconds since 1970. */
export type RateLimitHeaders = Readonly<
  Record<'x-ratelimit-limit' | 'x-ratelimit-remaining' | 'x-ratelimit-reset', string>
>

/** A multiple of the limit: several users may share an address. */
const MAX_NAMES_PER_ADDRESS = 20

const MAX_IDENTIFIER_LENGTH = 100

export function createRateLimit({ interval, max, store, now }: RateLimitOptions): RateLimit {
  const getHeaders = (remaining: number, reset: number): RateLimitHeaders => ({
    'x-ratelimit-limit': String(max),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(reset / 1000)),
  })

  function listBuckets(route: string, address: string, identifier: string): readonly AttemptBucket[] {
    const place = `${route} ${buildAddressBucket(address)}`
    const name = identifier.trim().toLowerCase().slice(0, MAX_IDENTIFIER_LENGTH)
    const own = { key: buildKey(`${place} ${name}`), most: max }
    return name === '' ? [own] : [own, { key: buildKey(place), most: max * MAX_NAMES_PER_ADDRESS }]
  }

  return {
    async take(...from) {
      const moment = now()
      const taken = await store.take(listBuckets(...from), moment, interval)
      if ('tries' in taken) return getHeaders(Math.max(0, max - taken.tries), taken.oldest + interval)
      const { refusedUntil } = taken
      const seconds = Math.max(1, Math.ceil((refusedUntil - moment) / 1000))
      throw new ApiError(
        'RateLimitError',
        'Too many requests, please try again later.',
        {},
        { 'retry-after': String(seconds), ...getHeaders(0, refusedUntil) },
      )
    },
    async giveBack(...from) {
      const { tries, oldest } = await store.giveBack(listBuckets(...from), now(), interval)
      return getHeaders(Math.max(0, max - tries), oldest + interval)
    },
  }
}

/** Hashed because the key may be stored in a database. */
function buildKey(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns the part that one person controls: an IPv4 address, or the /64 of an IPv6 address. */
export function buildAddressBucket(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - front.length - back.length
  const groups = [...front, ...Array<string>(Math.max(0, gap)).fill('0'), ...back]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
