// An answer as every transport sends it.

import type { HeaderSet } from './header-set.ts'
import type { HttpRequest } from './request.ts'

export interface Reply {
  readonly status: number
  /** Names in lower case. A name or value that could break out of its line makes the reply a 500. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Text is sent as UTF-8. Undefined: an empty body. */
  readonly body?: string | Uint8Array | undefined
  readonly contentType?: string | undefined
  /** Headers that many answers share, checked and joined once; set by the gateway. */
  readonly common?: HeaderSet | undefined
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
