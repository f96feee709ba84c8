// Derives a request within another one: with another token and signal, or for one operation of several.

import { NO_BODY } from './body/body-buffer.ts'
import type { HttpRequest, IncomingBody } from './request.ts'

interface DerivedRequest {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  /** The body. Conditions and keys of the whole request are left out with it. */
  readonly json?: string
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
    method = request.method,
    path = request.path,
    query = request.query,
    json,
  }: DerivedRequest,
): HttpRequest {
  const { address, id, route, caller } = request
  return {
    method,
    path,
    query,
    address,
    id,
    signal,
    route,
    caller,
    body: json === undefined ? NO_BODY : createBody(json),
    header(name) {
      if (json !== undefined && Object.hasOwn(OWN_HEADERS, name)) return OWN_HEADERS[name]
      return name === 'authorization' && authorization !== undefined ? authorization : request.header(name)
    },
    headerNames: () => request.headerNames(),
    holdResponse,
  }
}

/** The response is read within the server. */
const OWN_HEADERS: Readonly<Record<string, string | undefined>> = {
  'accept-encoding': undefined,
  'content-type': 'application/json',
  'content-encoding': undefined,
  'content-length': undefined,
  'idempotency-key': undefined,
  'if-match': undefined,
  'if-none-match': undefined,
}

function createBody(json: string): IncomingBody {
  const bytes = Buffer.from(json)
  return {
    ...NO_BODY,
    present: true,
    arrived: () => bytes,
    bytes: async () => bytes,
    async *chunks() {
      yield bytes
    },
  }
}
