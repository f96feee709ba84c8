// Reads what a page sends.

import { parseBody } from '../http/body/parse-body.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'

/** Throws BadRequestError unless it is a JSON object. */
export async function readBody(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
  const body = await parseBody(request)
  if (body.kind === 'value' && isRecord(body.value)) return body.value
  throw new ApiError('BadRequestError', 'send a JSON object')
}
