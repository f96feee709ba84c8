// A request that is not a valid GraphQL request: refused before any operation is examined, in the words of Strapi's
// server.

import type { Reply } from '../../../http/reply.ts'

export class RequestFault extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('not a GraphQL request')
    this.reply = reply
  }
}

/** A plain-text reply, as recorded for requests that are not even JSON of the right kind. */
export function textFault(
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
): RequestFault {
  return new RequestFault({ status, body, contentType: 'text/plain; charset=utf-8', headers })
}

/** A response with one error and no data. */
export function jsonFault(status: number, message: string, code = 'INTERNAL_SERVER_ERROR'): RequestFault {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] })
  return new RequestFault({ status, body, contentType: 'application/json' })
}

export const NO_BODY = 'POST body missing, invalid Content-Type, or JSON object has no keys.'
