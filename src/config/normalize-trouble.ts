// Converts the durations of `server.trouble` or `cms.trouble` to milliseconds.

import { parseDuration } from '../lib/parse-units.ts'
import type { TroubleConfig, TroubleRule } from './server-config.ts'

export interface RawTrouble {
  /** Another seed disturbs other requests. */
  readonly seed?: number
  readonly rules: readonly RawTroubleRule[]
}

/** Durations are milliseconds or texts such as `2s`. */
export interface RawTroubleRule {
  /** `POST /api/articles`, `/api/*`: a method, a path, or both; `*` stands for any text. Default: every request. */
  readonly on?: string
  /** The share of these requests, from 0 to 1. Default 1. */
  readonly rate?: number
  /** A duration, or a distribution with these percentiles. */
  readonly latency?:
    | string
    | number
    | { readonly p50?: string | number; readonly p95?: string | number; readonly p99?: string | number }
  /** Responds with this status instead: 429, 500, 502, 503 or 504. */
  readonly status?: number
  /** The header `Retry-After`. */
  readonly retryAfter?: string | number
  /** The body is sent over this duration. */
  readonly slow?: string | number
  /** Breaks the connection in the middle of the body. */
  readonly lost?: boolean
  /** Responds to a token with the 401 for an expired one. */
  readonly staleToken?: boolean
}

/** Throws RangeError for an invalid duration; in a file the schema has refused it. */
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
