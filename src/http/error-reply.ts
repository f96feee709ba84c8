// Turns a thrown value into an error response in Strapi's envelope. Errors other than ApiError are reported,
// and hidden from the client.

import { ApiError, NO_DETAILS } from '../lib/errors/api-error.ts'
import { jsonReply, type Reply } from './reply.ts'

/** Strapi omits `details` from these when empty; the other errors carry `{}`. */
const BARE = new Set(['BadRequestError', 'PayloadTooLargeError', 'InternalServerError'])

/** `report` receives internal errors. `explains`: for developers, only in development. */
export function buildErrorReply(error: unknown, report: (fault: unknown) => void, explains = false): Reply {
  if (error instanceof ApiError) return jsonReply(error.status, errorEnvelope(error, explains), error.headers)
  report(error)
  return jsonReply(500, INTERNAL)
}

const INTERNAL = errorEnvelope(new ApiError('InternalServerError', 'Internal Server Error'), false)

function errorEnvelope(thrown: ApiError, explains: boolean): string {
  const { status, name, message } = thrown
  const details = thrown.shownDetails(explains)
  const bare = BARE.has(name) && details === NO_DETAILS
  const error = bare ? { status, name, message } : { status, name, message, details }
  return JSON.stringify({ data: null, error })
}
