// Makes the log line of a request.

import type { HttpRequest, RequestCaller } from '../../http/request.ts'
import type { RequestLine } from '../log/request-line.ts'
import { maskQuery } from './shown-query.ts'

/** Characters; longer paths are cut, so that clients cannot fill the disk. */
const MAX_PATH_LENGTH = 256

type ResponseSummary = Pick<RequestLine, 'status' | 'bytes' | 'ms' | 'statements'>

export function getLine(
  request: HttpRequest,
  { status, bytes, ms, statements }: ResponseSummary,
): RequestLine {
  const { method, path, query } = request
  return {
    method,
    path: path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path,
    query: query === '' ? undefined : maskQuery(query),
    route: request.route?.path,
    status,
    bytes,
    ms: Math.round(ms * 10) / 10,
    ...getCaller(request.caller),
    statements,
    requestId: request.id,
  }
}

export interface Caller {
  readonly role?: string
  readonly user?: number | undefined
  readonly token?: string
}

export function getCaller(principal: RequestCaller | undefined): Caller {
  if (principal === undefined) return {}
  const { kind, name, id } = principal
  return kind === 'api-token' ? { token: name } : { role: name, user: id }
}
