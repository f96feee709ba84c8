// Derives a request within a long-lived response, with the same head but another token and signal.

import { NO_BODY } from './body/body-buffer.ts'
import type { HttpRequest } from './request.ts'

interface DerivedRequest {
  readonly authorization?: string | undefined
  readonly signal?: AbortSignal
  readonly holdResponse?: HttpRequest['holdResponse']
}

export function deriveRequest(
  request: HttpRequest,
  {
    authorization,
    signal = request.signal,
    holdResponse = (characters) => request.holdResponse(characters),
  }: DerivedRequest,
): HttpRequest {
  const { method, path, query, address, id, route, caller } = request
  return {
    method,
    path,
    query,
    address,
    id,
    signal,
    route,
    caller,
    body: NO_BODY,
    header: (name) =>
      name === 'authorization' && authorization !== undefined ? authorization : request.header(name),
    headerNames: () => request.headerNames(),
    holdResponse,
  }
}
