// How often something may be tried: a sliding window for each key, in bounded memory (RELIABILITY C34 to C38).

import { isIPv6 } from 'node:net'
import { ApiError } from '../errors/api-error.ts'
import { LruMap } from '../util/lru-map.ts'

export interface RateLimitOptions {
  /** Milliseconds of the window. */
  readonly interval: number
  /** Tries within it. */
  readonly max: number
  /** Epoch milliseconds. */
  now(): number
}

export interface RateLimit {
  /** Counts a try. Throws RateLimitError when it is one too many; that one does not count. */
  take(route: string, address: string, identifier: string): void
}

/** Keys that are remembered; the one that was not seen for longest is forgotten. 65,536 take some 16 MB. */
const KEPT_KEYS = 65_536

/** One address may try so many times as often, whatever names it tries: some share an address. */
const NAMES_PER_ADDRESS = 20

const LONGEST_IDENTIFIER = 100

export function createRateLimit({ interval, max, now }: RateLimitOptions): RateLimit {
  /** Moments of the tries that count, oldest first. */
  const tries = new LruMap<string, number[]>(KEPT_KEYS)

  function triesOf(key: string, since: number): number[] {
    const kept = (tries.get(key) ?? []).filter((moment) => moment > since)
    tries.set(key, kept)
    return kept
  }

  return {
    take(route, address, identifier) {
      const moment = now()
      const place = `${route} ${addressBucket(address)}`
      const name = identifier.trim().toLowerCase().slice(0, LONGEST_IDENTIFIER)
      const own = triesOf(`${place} ${name}`, moment - interval)
      const all = name === '' ? [] : triesOf(place, moment - interval)
      assertBelow(own, max, moment)
      assertBelow(all, max * NAMES_PER_ADDRESS, moment)
      own.push(moment)
      if (name !== '') all.push(moment)
    },
  }

  function assertBelow(moments: readonly number[], most: number, moment: number): void {
    const oldest = moments[moments.length - most]
    if (oldest === undefined) return
    const seconds = Math.max(1, Math.ceil((oldest + interval - moment) / 1000))
    throw new ApiError(
      'RateLimitError',
      'Too many requests, please try again later.',
      {},
      {
        'retry-after': String(seconds),
      },
    )
  }
}

/** One bucket for what one person holds: an IPv4 address, or the /64 of an IPv6 address. */
export function addressBucket(address: string): string {
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
