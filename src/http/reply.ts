// The answer of a handler, independent of the transport.

import type { HeaderSet } from './header-set.ts'
import type { HttpRequest } from './request.ts'
import type { SocketOffer } from './socket.ts'

/** A body that is produced while it is sent, at the reader's pace. */
export interface BodyStream {
  /**
   * Total bytes of the chunks; undefined when they are not known in advance: the body is then sent without a length.
   */
  readonly length: number | undefined
  /** The connection is closed when two chunks are more than a minute apart. */
  chunks(): AsyncIterable<Uint8Array>
}

export type ReplyBody = string | Uint8Array | BodyStream

export interface Reply {
  readonly status: number
  /** Names in lower case. A name or value that could break out of its line makes the reply a 500. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** More headers, of an answer that is sent again and again: checked and joined once. */
  readonly prepared?: HeaderSet | undefined
  /** Text is sent as UTF-8. Undefined: an empty body. */
  readonly body?: ReplyBody | undefined
  readonly contentType?: string | undefined
  /** Headers that many answers share, checked and joined once; set by the gateway. */
  readonly common?: HeaderSet | undefined
  /** The request was a WebSocket handshake, and is accepted; status 101. */
  readonly socket?: SocketOffer | undefined
}

export function isBodyStream(body: ReplyBody): body is BodyStream {
  return typeof body === 'object' && 'chunks' in body
}

/** In bytes; undefined when the length is not known yet. */
export function getBodyLength(body: ReplyBody): number | undefined {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function jsonReply(status: number, body: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, headers, body, contentType: JSON_TYPE, common: undefined }
}

/** Whether the handler answers asynchronously. */
export function isPromise(outcome: Reply | Promise<Reply>): outcome is Promise<Reply> {
  return 'then' in outcome
}

/** A function that answers requests: all of those to an app, or some. */
export type Handler = (request: HttpRequest) => Reply | Promise<Reply>
