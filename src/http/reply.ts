// An answer as every transport sends it.

import type { HeaderSet } from './header-set.ts'
import type { HttpRequest } from './request.ts'

/** A body that is made while it is sent, at the reader's pace. */
export interface BodyStream {
  /** As many bytes as the chunks have together. Undefined: not known before the last one, and sent without a length. */
  readonly length: number | undefined
  /** Chunks that come more than a minute apart are not waited for. */
  chunks(): AsyncIterable<Uint8Array>
}

export type ReplyBody = string | Uint8Array | BodyStream

export interface Reply {
  readonly status: number
  /** Names in lower case. A name or value that could break out of its line makes the reply a 500. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text is sent as UTF-8. Undefined: an empty body. */
  readonly body?: ReplyBody | undefined
  readonly contentType?: string | undefined
  /** Headers that many answers share, checked and joined once; set by the gateway. */
  readonly common?: HeaderSet | undefined
}

export function isBodyStream(body: ReplyBody): body is BodyStream {
  return typeof body === 'object' && 'chunks' in body
}

/** In bytes; undefined where nobody knows yet. */
export function bodyLengthOf(body: ReplyBody): number | undefined {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function jsonReply(status: number, body: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, headers, body, contentType: JSON_TYPE, common: undefined }
}

/** Whether an answer is still to come. */
export function isPromise(outcome: Reply | Promise<Reply>): outcome is Promise<Reply> {
  return 'then' in outcome
}

/** What answers a request: a generation's door, or a part of it. */
export type Handler = (request: HttpRequest) => Reply | Promise<Reply>
