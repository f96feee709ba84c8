// Injects faults for developers of clients: late, slow, refused or aborted responses. A seed selects them:
// the n-th request of a rule has the same result in each run.

import { setTimeout as wait } from 'node:timers/promises'
import type { TroubleConfig, TroubleRule } from '../../config/server-config.ts'
import { buildErrorReply } from '../../http/error-reply.ts'
import { type BodyStream, getBodyLength, isBodyStream, type Reply } from '../../http/reply.ts'
import type { IncomingRequest } from '../../http/request.ts'
import type { ServedHandler } from '../../http/server.ts'
import { ApiError } from '../../lib/errors/api-error.ts'

/** `current`: called for each request; undefined where faults are off. */
export function injectFaults(
  handler: ServedHandler,
  current: () => TroubleConfig | undefined,
): ServedHandler {
  const counts = new WeakMap<TroubleRule, number>()
  return (request) => {
    const config = current()
    if (config === undefined || config.rules.length === 0) return handler(request)
    const met = config.rules.filter((rule, index) => {
      if (!isFor(rule, request)) return false
      const count = counts.get(rule) ?? 0
      counts.set(rule, count + 1)
      return drawn(config.seed, index, count, 0) < rule.rate
    })
    return met.length === 0 ? handler(request) : answerWith(met, config, request, () => handler(request))
  }

  async function answerWith(
    met: readonly TroubleRule[],
    { seed, rules }: TroubleConfig,
    request: IncomingRequest,
    response: () => Reply | Promise<Reply>,
  ): Promise<Reply> {
    let late = 0
    for (const rule of met) {
      if (rule.latency !== undefined)
        late += latencyAt(rule.latency, drawn(seed, rules.indexOf(rule), counts.get(rule) ?? 0, 1))
    }
    // A client that disconnects ends the wait.
    if (late > 0) await wait(late, undefined, { signal: request.signal }).catch(() => {})
    const refused = met.map((rule) => refusal(rule, request)).find((reply) => reply !== undefined)
    let reply = refused ?? (await response())
    for (const { slow, lost } of met) {
      if (slow !== undefined) reply = { ...reply, body: slowed(reply, slow, request.signal) }
      if (lost) reply = { ...reply, body: brokenOff(reply) }
    }
    return reply
  }
}

/** A rule without `on` applies to all paths except the operator's (`/_health`). */
function isFor({ method, path }: TroubleRule, request: IncomingRequest): boolean {
  if (method !== undefined && method !== request.method) return false
  if (path === undefined) return !request.path.startsWith('/_')
  return matches(path, request.path)
}

/** Takes time proportional to the text for each part of the pattern. */
function matches(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/**
 * Milliseconds at a point from 0 to 1 of the distribution, interpolated linearly between the given
 * percentiles.
 */
function latencyAt(points: NonNullable<TroubleRule['latency']>, at: number): number {
  let [beforeAt, before] = [0, 0]
  for (const [point, milliseconds] of points) {
    if (at <= point) return before + ((milliseconds - before) * (at - beforeAt)) / (point - beforeAt)
    ;[beforeAt, before] = [point, milliseconds]
  }
  return before
}

function refusal(
  { status, retryAfter, staleToken }: TroubleRule,
  request: IncomingRequest,
): Reply | undefined {
  if (staleToken && request.header('authorization') !== undefined)
    return buildErrorReply(new ApiError('UnauthorizedError', 'Missing or invalid credentials'), () => {})
  if (status === undefined) return undefined
  const headers =
    retryAfter === undefined ? undefined : { 'retry-after': String(Math.ceil(retryAfter / 1000)) }
  const known = REFUSALS[status]
  if (known === undefined) return { status, headers, body: `${status}\n`, contentType: 'text/plain' }
  return buildErrorReply(new ApiError(known[0], known[1], {}, headers), () => {})
}

/** The server's own statuses; the others come from a gateway before it, whose responses are not JSON. */
const REFUSALS: Readonly<Record<number, readonly [ConstructorParameters<typeof ApiError>[0], string]>> = {
  429: ['RateLimitError', 'Too many requests, please try again later.'],
  500: ['InternalServerError', 'Internal Server Error'],
  503: ['ServiceUnavailableError', 'Service Unavailable'],
}

const SLOW_BODY_PIECES = 10

function slowed(reply: Reply, duration: number, signal: AbortSignal): BodyStream {
  return streamed(reply, async function* (chunks) {
    let first = true
    for await (const chunk of chunks) {
      const size = Math.max(1, Math.ceil(chunk.length / SLOW_BODY_PIECES))
      for (let at = 0; at < chunk.length; at += size) {
        if (first) await wait(duration / SLOW_BODY_PIECES, undefined, { signal }).catch(() => {})
        yield chunk.subarray(at, at + size)
      }
      // The first chunk, which is all of most bodies, takes the whole duration.
      first = false
    }
  })
}

/**
 * Ends after half of the first chunk: transports close the connection of a body that is shorter than
 * announced.
 */
function brokenOff(reply: Reply): BodyStream {
  return streamed(reply, async function* (chunks) {
    for await (const chunk of chunks) {
      yield chunk.subarray(0, Math.floor(chunk.length / 2))
      return
    }
  })
}

function streamed(
  { body = '' }: Reply,
  change: (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>,
): BodyStream {
  const whole = typeof body === 'string' ? Buffer.from(body) : body
  const chunks = isBodyStream(whole) ? () => whole.chunks() : () => once(whole)
  return { length: isBodyStream(whole) ? whole.length : getBodyLength(whole), chunks: () => change(chunks()) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The same for the same arguments. */
function drawn(seed: number, rule: number, count: number, draw: number): number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  for (const part of [rule, count, draw]) {
    state = Math.imul(state ^ (part + 0x7f4a7c15), 0xc2b2ae35)
    state ^= state >>> 15
    state = Math.imul(state, 0x2c1b3c6d)
    state ^= state >>> 13
  }
  return (state >>> 0) / 2 ** 32
}
