// A request of its own within a lasting answer: the same head, another token and another end.

import { NO_BODY } from './body/body-buffer.ts'
import type { HttpRequest } from './request.ts'

interface DerivedRequest {
  /** Replaces the header. */
  readonly authorization?: string | undefined
  /** When the client has lost interest. */
  readonly signal?: AbortSignal
  /** Counts the answer; by default with the whole request. */
  readonly holdAnswer?: HttpRequest['holdAnswer']
}

export function deriveRequest(
  request: HttpRequest,
  {
    authorization,
    signal = request.signal,
    holdAnswer = (characters) => request.holdAnswer(characters),
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
    holdAnswer,
  }
}
