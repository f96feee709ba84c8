// Builds the cache query of a GraphQL request, mostly from the bytes sent, so that cached responses are found
// before parsing.

import type { Principal } from '../../../access/principal.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { buildExactKey } from '../../../lib/exact-key.ts'
import type { CacheQuery } from '../../../operations/response-cache.ts'
import type { Parameters } from './parse-parameters.ts'
import type { ResponseFormat } from './response-format.ts'

/** In characters; responses to longer queries are not cached. */
const MAX_QUERY_LENGTH = 10_000

/**
 * Uses the query string, or the body's bytes if `isPlainJson`. Undefined if they are too long, or if no other
 * caller shares the permissions.
 */
export function queryAsSent(
  request: HttpRequest,
  principal: Principal,
  { contentType }: ResponseFormat,
  body?: Uint8Array,
): CacheQuery | undefined {
  if ((body ?? request.query).length > MAX_QUERY_LENGTH) return undefined
  // `latin1` gives different bodies different texts, even if they are not UTF-8.
  const sent =
    body === undefined
      ? request.query
      : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  return buildQuery(request, principal, contentType, `sent ${sent}`)
}

/** Undefined also if the variables have no exact text form. */
export function queryByParameters(
  request: HttpRequest,
  principal: Principal,
  { contentType }: ResponseFormat,
  { variables, operationName }: Pick<Parameters, 'variables' | 'operationName'>,
  query: string,
): CacheQuery | undefined {
  if (query.length > MAX_QUERY_LENGTH) return undefined
  const values = variables === undefined ? '' : buildExactKey(variables, MAX_QUERY_LENGTH)
  if (values === undefined) return undefined
  const parameters = `${JSON.stringify(operationName ?? '')} ${values} ${query}`
  return buildQuery(request, principal, contentType, `parsed ${parameters}`)
}

function buildQuery(
  request: HttpRequest,
  { kind, permissions }: Principal,
  contentType: string,
  text: string,
): CacheQuery | undefined {
  if (!permissions.isShared) return undefined
  // Some fields require an authenticated caller, whatever its permissions.
  return { request, caller: permissions, query: `${kind} ${contentType} ${text}` }
}

const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i

/** Whether the body's bytes alone decide how the request is parsed. */
export function isPlainJson(request: HttpRequest): boolean {
  const { body } = request
  if (!body.present || request.header('content-encoding') !== undefined) return false
  const type = request.header('content-type')
  return type === 'application/json' || (type !== undefined && PLAIN_JSON.test(type))
}
