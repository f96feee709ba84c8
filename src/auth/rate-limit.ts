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
  /** Where tries are counted; by default in this process, for itself. */
  readonly tries?: Tries | undefined
}

export interface Tries {
  /** Counts a try on every counter, or none and answers the moment that is too recent. */
  take(
    counters: readonly Counter[],
    interval: number,
    moment: number,
  ): number | undefined | Promise<number | undefined>
}

export interface Counter {
  readonly key: string
  /** Tries within the interval. */
  readonly most: number
}

export interface RateLimit {
  /** Counts a try. Rejects with RateLimitError when it is one too many; that one does not count. */
  take(route: string, address: string, identifier: string): Promise<void>
}

/** Keys that are remembered; the one that was not seen for longest is forgotten. 65,536 take some 16 MB. */
const KEPT_KEYS = 65_536

/** One address may try so many times as often, whatever names it tries: some share an address. */
const NAMES_PER_ADDRESS = 20

const LONGEST_IDENTIFIER = 100

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { interval, max, now, tries = createOwnTries() } = options
  return {
    async take(route, address, identifier) {
      const moment = now()
      const place = `${route} ${addressBucket(address)}`
      const name = identifier.trim().toLowerCase().slice(0, LONGEST_IDENTIFIER)
      const counters: Counter[] = [{ key: `${place} ${name}`, most: max }]
      if (name !== '') counters.push({ key: place, most: max * NAMES_PER_ADDRESS })
      const oldest = await tries.take(counters, interval, moment)
      if (oldest !== undefined) throw tooMany(Math.ceil((oldest + interval - moment) / 1000))
    },
  }
}

/** In this process's memory. */
function createOwnTries(): Tries {
  /** Moments of the tries that count, oldest first. */
  const kept = new LruMap<string, number[]>(KEPT_KEYS)
  return {
    take(counters, interval, moment) {
      const all = counters.map(({ key, most }) => {
        const recent = (kept.get(key) ?? []).filter((one) => one > moment - interval)
        kept.set(key, recent)
        return { recent, most }
      })
      for (const { recent, most } of all) {
        const oldest = recent[recent.length - most]
        if (oldest !== undefined) return oldest
      }
      for (const { recent } of all) recent.push(moment)
      return undefined
    },
  }
}

function tooMany(seconds: number): ApiError {
  const headers = { 'retry-after': String(Math.max(1, seconds)) }
  return new ApiError('RateLimitError', 'Too many requests, please try again later.', {}, headers)
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
