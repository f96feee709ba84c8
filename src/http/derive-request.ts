// A request of its own within a lasting answer: the same head, another token and another end.

import { NO_BODY } from './body/body-buffer.ts'
import type { HttpRequest } from './request.ts'

export interface Derived {
  /** Replaces the header. */
  readonly authorization?: string | undefined
  /** When the client has lost interest. */
  readonly signal?: AbortSignal
}

export function deriveRequest(
  request: HttpRequest,
  { authorization, signal = request.signal }: Derived,
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
  }
}
