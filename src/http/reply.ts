// The response of a handler, independent of the transport.

import type { HeaderSet } from './header-set.ts'
import type { HttpRequest } from './request.ts'
import type { SocketOffer } from './socket.ts'

/** Produced while it is sent, at the reader's pace. */
export interface BodyStream {
  /** Bytes; when undefined, the body is sent without a length. */
  readonly length: number | undefined
  /**
   * The connection is closed when two chunks are more than a minute apart. `return` is called as soon as the client is gone,
   * also while a chunk is pending.
   */
  chunks(): AsyncIterable<Uint8Array>
}

/** The chunks of a body for one reader, whose `gone` ends it. */
export function readUntilGone(
  body: BodyStream,
  gone: AbortSignal,
  failed: (fault: unknown) => void,
): AsyncIterable<Uint8Array> {
  const chunks = body.chunks()[Symbol.asyncIterator]()
  const end = (): void => void chunks.return?.().catch(failed)
  if (gone.aborted) end()
  else gone.addEventListener('abort', end, { once: true })
  return { [Symbol.asyncIterator]: () => chunks }
}

export type ReplyBody = string | Uint8Array | BodyStream

export interface Reply {
  readonly status: number
  /** Names in lower case. A name or value that could break out of its line makes the reply a 500. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Values of `set-cookie`. */
  readonly cookies?: readonly string[] | undefined
  /** Checked and joined once, for a response that is sent repeatedly. */
  readonly prepared?: HeaderSet | undefined
  readonly body?: ReplyBody | undefined
  readonly contentType?: string | undefined
  /** Set by the gateway. */
  readonly common?: HeaderSet | undefined
  /** Accepts a WebSocket handshake; status 101. */
  readonly socket?: SocketOffer | undefined
}

export function isBodyStream(body: ReplyBody): body is BodyStream {
  return typeof body === 'object' && 'chunks' in body
}

/** Bytes. */
export function getBodyLength(body: ReplyBody): number | undefined {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function jsonReply(status: number, body: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, headers, body, contentType: JSON_TYPE, common: undefined }
}

export function isPromise(outcome: Reply | Promise<Reply>): outcome is Promise<Reply> {
  return 'then' in outcome
}

export type Handler = (request: HttpRequest) => Reply | Promise<Reply>
