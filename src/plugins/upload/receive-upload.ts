// Receives the body of an upload: the files, and the information about them.

import { parseBody } from '../../http/body/parse-body.ts'
import { parseJson } from '../../http/body/parse-json.ts'
import { type MultipartField, readMultipart } from '../../http/body/read-multipart.ts'
import type { HttpRequest } from '../../http/request.ts'
import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { FileInfo, FileIntake, ReceivedFile } from '../../write/file-intake.ts'
import { checkFileName } from './file-names.ts'

export interface Upload {
  readonly files: readonly ReceivedFile[]
  /** One per file, in the same order; may be fewer. */
  readonly infos: readonly FileInfo[]
  readonly target: Readonly<Record<'ref' | 'refId' | 'field', string | undefined>>
}

/** Calls `use` with the upload, then releases the files, also after an error. */
export async function withUpload<T>(
  request: HttpRequest,
  intake: FileIntake,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const body = await parseBody(request)
  if (body.kind !== 'multipart') {
    const given = body.kind === 'value' && isRecord(body.value) ? body.value['fileInfo'] : undefined
    return use({ files: [], infos: given === undefined ? [] : listInfos(given), target: getTarget([]) })
  }
  const places: (ReceivedFile | undefined)[] = []
  try {
    const fields = await readMultipart(request, body.boundary, async (part) => {
      if (part.name !== 'files') throw empty()
      const place = places.push(undefined) - 1
      const file = await intake.receive(part)
      places[place] = file
      if (file.size === 0) throw empty()
    })
    const infos = fields
      .filter(({ name }) => name === 'fileInfo')
      .flatMap(({ value }) => listInfos(parsed(value)))
    const files = places.filter((file) => file !== undefined)
    return await use({ files, infos, target: getTarget(fields) })
  } finally {
    for (const file of places) await file?.release()
  }
}

/**
 * As in Strapi, a missing file, an empty file and a file in a field other than `files` share this message.
 */
export function empty(): ApiError {
  return new ApiError('ValidationError', 'Files are empty')
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw wrongInfo(text)
  }
}

function listInfos(value: unknown): readonly FileInfo[] {
  return (Array.isArray(value) ? value : [value]).map(getInfo)
}

const MAX_TEXT_LENGTH = 10_000

/** Only the three texts are read; clients must not set other properties. */
export function getInfo(value: unknown): FileInfo {
  if (!isRecord(value)) throw wrongInfo(value)
  const info: Record<string, string | null> = {}
  for (const key of ['name', 'alternativeText', 'caption'] as const) {
    const text = Object.hasOwn(value, key) ? value[key] : undefined
    if (text === undefined) continue
    if (text !== null && typeof text !== 'string') throw wrongText(key, 'must be a string')
    if (text !== null && text.length > MAX_TEXT_LENGTH)
      throw wrongText(key, `must be at most ${MAX_TEXT_LENGTH} characters`)
    if (text?.includes('\0') === true) throw wrongText(key, 'must not hold NUL')
    info[key] = key === 'name' && text !== null ? checkFileName(text) : text
  }
  return info
}

function wrongInfo(value: unknown): ApiError {
  const shown = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 100)
  const message = `fileInfo must be an object such as {"name":"a.png","caption":"…"}, not ${shown}`
  return createValidationErrors([{ path: ['fileInfo'], message, name: 'ValidationError' }])
}

function wrongText(key: string, rule: string): ApiError {
  const message = `fileInfo.${key} ${rule}`
  return createValidationErrors([{ path: ['fileInfo', key], message, name: 'ValidationError' }])
}

function getTarget(fields: readonly MultipartField[]): Upload['target'] {
  const last = (name: string): string | undefined => fields.findLast((field) => field.name === name)?.value
  return { ref: last('ref'), refId: last('refId'), field: last('field') }
}
