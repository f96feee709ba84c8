// `server.trouble`, or what a program gives `cms.trouble`, with durations in milliseconds.

import { parseDuration } from '../lib/parse-units.ts'
import type { TroubleConfig, TroubleRule } from './server-config.ts'

export interface RawTrouble {
  /** Another number meets other requests. */
  readonly seed?: number
  readonly rules: readonly RawTroubleRule[]
}

/** Durations are milliseconds or texts such as `2s`. */
export interface RawTroubleRule {
  /** `POST /api/articles`, `/api/*`: a method, a path, or both; `*` stands for any text. Default: every request. */
  readonly on?: string
  /** The part of these requests that is met, from 0 to 1. Default 1. */
  readonly rate?: number
  /** The answer is late: by a duration, or by one from a distribution with these percentiles. */
  readonly latency?:
    | string
    | number
    | { readonly p50?: string | number; readonly p95?: string | number; readonly p99?: string | number }
  /** The answer is this status instead: 429, 500, 502, 503 or 504. */
  readonly status?: number
  /** The header of that name, which says when to try again. */
  readonly retryAfter?: string | number
  /** The body is sent over this duration. */
  readonly slow?: string | number
  /** The connection is lost in the middle of the body. */
  readonly lost?: boolean
  /** A request with a token gets the 401 of one that is over. */
  readonly staleToken?: boolean
}

/** Throws RangeError for a duration that is none; the schema has refused it in a file. */
export function normalizeTrouble({ seed = 0, rules }: RawTrouble): TroubleConfig {
  return { seed, rules: rules.map(normalizeRule) }
}

const PERCENTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const

function normalizeRule(rule: RawTroubleRule): TroubleRule {
  const { on, rate = 1, latency, status, retryAfter, slow, lost = false, staleToken = false } = rule
  const [, method, path] = /^(?:([A-Z]+)(?:\s+|$))?(.+)?$/.exec(on?.trim() ?? '') ?? []
  return {
    method,
    path,
    rate,
    latency: latency === undefined ? undefined : getPoints(latency),
    status,
    retryAfter: retryAfter === undefined ? undefined : milliseconds(retryAfter),
    slow: slow === undefined ? undefined : milliseconds(slow),
    lost,
    staleToken,
  }
}

function getPoints(latency: NonNullable<RawTroubleRule['latency']>): NonNullable<TroubleRule['latency']> {
  if (typeof latency !== 'object') return [[0, milliseconds(latency)]]
  return Object.entries(PERCENTILES).flatMap(([name, at]) => {
    const value = latency[name as keyof typeof PERCENTILES]
    return value === undefined ? [] : [[at, milliseconds(value)] as const]
  })
}

function milliseconds(value: string | number): number {
  const parsed = parseDuration(value)
  if (parsed === undefined)
    throw new RangeError(`trouble: ${JSON.stringify(value)} is no duration like "200ms"`)
  return parsed
}
