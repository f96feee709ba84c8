// A request that is not a valid GraphQL request: refused before any operation is examined, in the words of Strapi's
// server.

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

/** A plain-text reply, as recorded for requests that are not even JSON of the right kind. */
export function textFault(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
): RequestFault {
  return new RequestFault({ status, message, code: undefined, plain: true, headers })
}

/** A response with one error and no data. */
export function jsonFault(status: number, message: string, code?: string): RequestFault {
  return new RequestFault({ status, message, code, plain: false })
}

export const NO_BODY = 'POST body missing, invalid Content-Type, or JSON object has no keys.'
