// The body of a create or update -> its `data` (spec 4.1; BEHAVIOUR 2.4, 9.2).

import { ApiError, validationErrors } from '../errors/api-error.ts'
import { parseBody } from '../http/parse-body.ts'
import { parseJson } from '../http/parse-json.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ContentType } from '../model/content-type.ts'
import { isRecord } from '../util/is-record.ts'
import { mediaAt } from './media-at.ts'
import { type Multipart, parseMultipart } from './parse-multipart.ts'

const MOST_KEYS = 1000

export async function parseData(
  request: HttpRequest,
  type: ContentType,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await parseBody(request)
  if (body.kind === 'multipart') return dataOfMultipart(await parseMultipart(request, body.boundary), type)
  const content = body.kind === 'value' ? body.value : undefined
  return checkedData(isRecord(content) ? content['data'] : undefined)
}

/** The same without the outer `data`, as the body of a localization has it (BEHAVIOUR 10.5). */
export async function parseBareData(
  request: HttpRequest,
  type: ContentType,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await parseBody(request)
  if (body.kind === 'multipart') return dataOfMultipart(await parseMultipart(request, body.boundary), type)
  return checkedData(body.kind === 'value' ? body.value : {})
}

/** Files for attributes that hold none are not looked at, as recorded; the others need a place to be stored in. */
function dataOfMultipart(
  { data: text, files }: Multipart,
  type: ContentType,
): Readonly<Record<string, unknown>> {
  const data = checkedData(text === undefined ? undefined : parseJson(text))
  const file = files.find(({ path }) => mediaAt(type, data, path) !== undefined)
  if (file !== undefined) {
    throw new ApiError(
      'NotImplementedError',
      `The file for ${file.path.join('.')} cannot be stored: this server takes no uploads`,
    )
  }
  return data
}

function checkedData(data: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(data)) {
    const shown = data.length === 0 ? '[]' : JSON.stringify(data, undefined, 2)
    const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${shown}\`).`
    throw validationErrors([{ path: [], message, name: 'ValidationError' }])
  }
  if (!isRecord(data)) {
    throw new ApiError('ValidationError', 'Missing "data" payload in the request body')
  }
  // Unknown attributes are ignored, as recorded; a body made of them is none that a client of ours sends.
  if (Object.keys(data).length > MOST_KEYS) {
    throw new ApiError('ValidationError', `Too many attributes: at most ${MOST_KEYS} are allowed`)
  }
  return data
}
