// By which query the response to a GraphQL request is cached: mostly by what was sent, so that it is found before anything is
// parsed (decision 0008).

import type { Principal } from '../../../access/principal.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { exactKey } from '../../../lib/exact-key.ts'
import type { CacheQuery } from '../../../operations/response-cache.ts'
import type { Parameters } from './parse-parameters.ts'
import type { ResponseFormat } from './response-format.ts'

/** Characters. Responses to longer queries are not cached. */
const MAX_QUERY_LENGTH = 10_000

/**
 * The query as it was sent: a query string, or the bytes of a JSON body (see `isPlainJson`). Requests with the same
 * one are understood alike, once neither is taken for a forgery. Undefined if it is too long, or if nobody can ask it
 * again.
 */
export function queryAsSent(
  request: HttpRequest,
  principal: Principal,
  { contentType }: ResponseFormat,
  body?: Uint8Array,
): CacheQuery | undefined {
  if ((body ?? request.query).length > MAX_QUERY_LENGTH) return undefined
  // Two bodies have different texts, even if they are not UTF-8.
  const sent =
    body === undefined
      ? request.query
      : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  return buildQuery(request, principal, contentType, `sent ${sent}`)
}

/** The query that the parameters ask. Undefined as well if it cannot be told apart from others as text. */
export function queryByParameters(
  request: HttpRequest,
  principal: Principal,
  { contentType }: ResponseFormat,
  { variables, operationName }: Pick<Parameters, 'variables' | 'operationName'>,
  query: string,
): CacheQuery | undefined {
  if (query.length > MAX_QUERY_LENGTH) return undefined
  const values = variables === undefined ? '' : exactKey(variables, MAX_QUERY_LENGTH)
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
  // Some fields need a caller who is known, whatever it may do.
  return { request, caller: permissions, query: `${kind} ${contentType} ${text}` }
}

const PLAIN_JSON = /^application\/json(?:; ?charset=utf-8)?$/i

/** Whether nothing but the bytes of the body decides how it is understood. */
export function isPlainJson(request: HttpRequest): boolean {
  const { body } = request
  if (!body.present || request.header('content-encoding') !== undefined) return false
  const type = request.header('content-type')
  return type === 'application/json' || (type !== undefined && PLAIN_JSON.test(type))
}
