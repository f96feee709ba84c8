// An answer as every transport sends it.

export interface Reply {
  readonly status: number
  /** Names in lower case. Values must not hold control characters; the transports refuse them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as UTF-8. Undefined: an empty body. */
  readonly body?: string | Uint8Array
  readonly contentType?: string
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export function jsonReply(status: number, body: string, headers?: Readonly<Record<string, string>>): Reply {
  return headers === undefined
    ? { status, body, contentType: JSON_TYPE }
    : { status, body, contentType: JSON_TYPE, headers }
}

/** What answers a request: a generation's door, or a part of it. */
export type Handler = (request: import('./request.ts').HttpRequest) => Reply | Promise<Reply>
