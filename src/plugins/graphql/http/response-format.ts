// Chooses a response's media type and status from `Accept` (GraphQL over HTTP, "Response"). Clients that
// accept only JSON get 200 with errors, as the specification requires; `application/graphql-response+json`
// gets accurate statuses; others get Strapi's JSON and 400.

import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { OperationResult } from '../execution/operations.ts'
import type { Protocol } from './protocol.ts'
import { createJsonFault } from './request-fault.ts'

export interface ResponseFormat {
  readonly contentType: string
  /** The status of a document that was refused before it ran. */
  readonly refused: number
}

const HONEST: ResponseFormat = {
  contentType: 'application/graphql-response+json; charset=utf-8',
  refused: 400,
}

const OWN = 'application/graphql-response+json'
const JSON_ALONE = 'application/json'
const TAKEN: ReadonlySet<string> = new Set([OWN, JSON_ALONE, '*/*', 'application/*'])
const NOT_ACCEPTABLE =
  'An operation was refused because the accept header names neither application/json nor application/graphql-response+json'

/** Throws RequestFault if `checksAccept` is set and the client accepts no available type. */
export function chooseResponseFormat(
  accept: string | undefined,
  { contentType, checksAccept }: Protocol,
): ResponseFormat {
  const recorded = { contentType, refused: 400 }
  if (accept === undefined || accept === '*/*') return recorded
  const ranges = accept.split(',').map(getRange)
  const own = getBest(ranges, OWN)
  const json = getBest(ranges, JSON_ALONE)
  if (own > 0 && own >= json) return HONEST
  if (checksAccept && !ranges.some(({ type }) => TAKEN.has(type))) throw createJsonFault(406, NOT_ACCEPTABLE)
  return ranges.every(({ type }) => type === JSON_ALONE) ? { contentType, refused: 200 } : recorded
}

interface Range {
  readonly type: string
  readonly quality: number
}

function getRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((each) => each.startsWith('q='))?.slice(2)
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 }
}

function getBest(ranges: readonly Range[], wanted: string): number {
  return Math.max(0, ...ranges.filter(({ type }) => type === wanted).map(({ quality }) => quality))
}

export function buildReply(
  { kind, body, refusal, status = 200 }: OperationResult,
  { contentType, refused }: ResponseFormat,
  { getWrites, refusal: refusalOf }: Protocol,
): Reply {
  if (kind === 'writes' && getWrites !== undefined)
    return refusalOf({
      status: 405,
      message: getWrites,
      code: undefined,
      plain: false,
      headers: { allow: 'POST' },
    })
  if (kind === 'writes') return { status: 405, body, contentType, headers: { allow: 'POST' } }
  if (refusal !== undefined) {
    return { status: refusal.status, body, contentType, headers: refusal.headers ?? {} }
  }
  return { status: kind === 'executed' ? status : refused, body, contentType }
}

/** Responses to authenticated callers are private; shared caches keep responses apart by `Authorization`. */
export function withCaching(reply: Reply, { cache }: OperationResult, request: HttpRequest): Reply {
  if (cache === undefined) return reply
  const known = request.header('authorization') !== undefined
  const scope = known ? 'private' : cache.scope.toLowerCase()
  const headers = { 'cache-control': `max-age=${cache.maxAge}, ${scope}`, vary: 'Accept, Authorization' }
  return { ...reply, headers: { ...reply.headers, ...headers } }
}
