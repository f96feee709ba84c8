// Parses the body of a create or update, stores its files, and adds their ids to `data`.

import { formatValue } from '../attribute-types/shown-value.ts'
import { type ParsedBody, parseBody } from '../http/body/parse-body.ts'
import { parseJson } from '../http/body/parse-json.ts'
import { readMultipart } from '../http/body/read-multipart.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError, createValidationErrors } from '../lib/errors/api-error.ts'
import { hideTexts, listTextsUnder } from '../lib/hide-texts.ts'
import { isRecord } from '../lib/is-record.ts'
import type { ContentType } from '../model/content-type.ts'
import { createSecretNames, listPayloadSchemas } from '../model/secret-names.ts'
import type { FileIntake, ReceivedFile } from '../write/file-intake.ts'
import type { Writer } from '../write/recorded-changes.ts'
import { findMediaAt } from './media-at.ts'
import { placeFiles } from './place-files.ts'

const MAX_KEYS = 1000

type Data = Readonly<Record<string, unknown>>

interface SentFile {
  readonly path: readonly string[]
  readonly file: ReceivedFile
}

interface RequestFiles {
  /** Undefined: the server takes no files. */
  readonly intake: FileIntake | undefined
  /** The caller in whose name the files are stored. */
  readonly by: Writer
}

export async function withData<T>(
  request: HttpRequest,
  type: ContentType,
  files: RequestFiles,
  write: (data: Data) => Promise<T>,
): Promise<T> {
  const body = await parseBody(request)
  if (body.kind === 'multipart') return withForm(request, body.boundary, type, files, write)
  const content = body.kind === 'value' ? body.value : undefined
  const data = isRecord(content) ? content['data'] : undefined
  if (data === undefined) throw missingData(body)
  return write(checkData(type, data))
}

/** Parses a body without the outer `data`, as for a localization. */
export async function withBareData<T>(
  request: HttpRequest,
  type: ContentType,
  files: RequestFiles,
  write: (data: Data) => Promise<T>,
): Promise<T> {
  const body = await parseBody(request)
  if (body.kind === 'multipart') return withForm(request, body.boundary, type, files, write)
  return write(checkData(type, body.kind === 'value' ? body.value : {}))
}

async function withForm<T>(
  request: HttpRequest,
  boundary: string,
  type: ContentType,
  files: RequestFiles,
  write: (data: Data) => Promise<T>,
): Promise<T> {
  const { intake, by } = files
  const sent: (SentFile | undefined)[] = []
  try {
    const fields = await readMultipart(request, boundary, async (part) => {
      const { name, chunks } = part
      if (!name.startsWith('files.')) throw wrongPrefix()
      if (intake === undefined) throw noIntake()
      const path = listSteps(name)
      if (!mayHoldFiles(type, path)) {
        for await (const _ of chunks());
        return
      }
      const place = sent.push(undefined) - 1
      sent[place] = { path, file: await intake.receive(part) }
    })
    const text = fields.findLast(({ name }) => name === 'data')?.value
    const data = checkData(type, text === undefined ? undefined : parseJson(text))
    const wanted = sent.flatMap((one) => {
      const attribute = one === undefined ? undefined : findMediaAt(type, data, one.path)
      return one === undefined || attribute === undefined ? [] : [{ ...one, attribute }]
    })
    if (wanted.length === 0 || intake === undefined) return await write(data)
    const stored = await intake.store(
      wanted.map(({ file }) => file),
      [],
      by,
    )
    try {
      const placed = wanted.flatMap((one, index) => {
        const id = stored.ids[index]
        return id === undefined ? [] : [{ path: one.path, attribute: one.attribute, id }]
      })
      return await write(placeFiles(data, placed))
    } catch (error) {
      await stored.undo()
      throw error
    }
  } finally {
    for (const one of sent) await one?.file.release()
  }
}

/** Dropped while they arrive, since files for other attributes are ignored. */
function mayHoldFiles(type: ContentType, [first = '']: readonly string[]): boolean {
  const kind = type.attributes.get(first)?.kind
  return kind === 'media' || kind === 'component' || kind === 'dynamiczone'
}

function listSteps(name: string): readonly string[] {
  return name
    .slice('files.'.length)
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
}

function wrongPrefix(): ApiError {
  return new ApiError(
    'BadRequestError',
    `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.
For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`,
    {},
  )
}

function noIntake(): ApiError {
  return new ApiError(
    'NotImplementedError',
    'This server takes no uploads: the upload plugin is switched off',
  )
}

function missingData(body?: ParsedBody): ApiError {
  const error = new ApiError('ValidationError', 'Missing "data" payload in the request body')
  return error.because({ message: `${whatWasSent(body)}; the attributes go into an object: {"data":{…}}` })
}

function whatWasSent(body: ParsedBody | undefined): string {
  if (body?.kind === 'none') {
    if (body.unread === undefined) return 'the request has no body'
    const type = body.unread === '' ? 'has no content-type' : `is ${body.unread.slice(0, MAX_TYPE_LENGTH)}`
    return `the body was not read because it ${type}: send "content-type: application/json"`
  }
  return body?.kind === 'value' && isRecord(body.value)
    ? 'the body has no "data"'
    : 'what was sent is no object'
}

const MAX_TYPE_LENGTH = 100

export function checkData(type: ContentType, data: unknown): Data {
  if (Array.isArray(data)) {
    const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${formatValue(data)}\`).`
    const texts = listTextsUnder(data, createSecretNames(listPayloadSchemas(type)))
    throw createValidationErrors([{ path: [], message: hideTexts(message, texts), name: 'ValidationError' }])
  }
  if (!isRecord(data)) throw missingData()
  // With `rest.strict: false` unknown attributes are ignored, but their number is limited.
  if (Object.keys(data).length > MAX_KEYS) {
    throw new ApiError('ValidationError', `Too many attributes: at most ${MAX_KEYS} are allowed`)
  }
  return data
}
