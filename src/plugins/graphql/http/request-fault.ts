// Refuses an invalid GraphQL request before any operation is examined, in the words of Strapi's server.

import type { Reply } from '../../../http/reply.ts'
import type { Fault, Protocol } from './protocol.ts'

export class RequestFault extends Error {
  readonly #given: Fault | Reply

  constructor(given: Fault | Reply) {
    super('message' in given ? given.message : 'not a GraphQL request')
    this.#given = given
  }

  reply(protocol: Protocol): Reply {
    return 'message' in this.#given ? protocol.refusal(this.#given) : this.#given
  }
}

/** Strapi replies in plain text to requests that are not JSON of the right kind. */
export function createTextFault(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): RequestFault {
  return new RequestFault({ status, message, code: undefined, plain: true, headers })
}

export function createJsonFault(status: number, message: string, code?: string): RequestFault {
  return new RequestFault({ status, message, code, plain: false })
}

export const NO_BODY = 'POST body missing, invalid Content-Type, or JSON object has no keys.'
