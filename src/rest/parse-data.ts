// The body of a create or update -> its `data` (spec 4.1; BEHAVIOUR 2.4, 9.2).

import { ApiError, validationErrors } from '../errors/api-error.ts'
import { parseBody } from '../http/parse-body.ts'
import type { HttpRequest } from '../http/request.ts'

export async function parseData(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
  const body = await parseBody(request)
  if (body.kind === 'multipart') {
    throw new ApiError('UnsupportedMediaTypeError', 'Multipart bodies are not accepted here: send JSON')
  }
  const content = body.kind === 'value' ? body.value : undefined
  const data = isRecord(content) ? content['data'] : undefined
  if (Array.isArray(data)) {
    const shown = data.length === 0 ? '[]' : JSON.stringify(data, undefined, 2)
    const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${shown}\`).`
    throw validationErrors([{ path: [], message, name: 'ValidationError' }])
  }
  if (!isRecord(data)) {
    throw new ApiError('ValidationError', 'Missing "data" payload in the request body')
  }
  return data
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
