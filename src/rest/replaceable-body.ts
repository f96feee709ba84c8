// The body of a request for users' code, which may read it and replace it.

import { parseBody } from '../http/body/parse-body.ts'
import type { HttpRequest } from '../http/request.ts'

/** Reads the body here, since policies may use it and it can be read only once. */
export async function readBody(request: HttpRequest): Promise<{ request: HttpRequest; body: unknown }> {
  const plain: HttpRequest = {
    method: request.method,
    path: request.path,
    query: request.query,
    header: (name) => request.header(name),
    headerNames: () => request.headerNames(),
    holdResponse: (characters) => request.holdResponse(characters),
    get address() {
      return request.address
    },
    id: request.id,
    body: request.body,
    get signal() {
      return request.signal
    },
  }
  if (!request.body.present || /^multipart\//i.test(request.header('content-type') ?? '')) {
    return { request: plain, body: undefined }
  }
  const bytes = await request.body.bytes()
  const readable = { ...plain, body: createBody(bytes) }
  const parsed = await parseBody(readable)
  return { request: readable, body: parsed.kind === 'value' ? parsed.value : undefined }
}

export function createBody(bytes: Uint8Array): HttpRequest['body'] {
  return {
    present: bytes.length > 0,
    memoryLimit: bytes.length,
    // The bytes were counted when they were received.
    tryHold: () => true,
    hold() {},
    arrived: () => bytes,
    bytes: () => Promise.resolve(bytes),
    async *chunks() {
      yield bytes
    },
  }
}

export function withJsonType(request: HttpRequest): HttpRequest['header'] {
  return (name) => (name === 'content-type' ? 'application/json' : request.header(name))
}
