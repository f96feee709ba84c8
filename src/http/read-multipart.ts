// A multipart body -> its fields, and its files one after the other as they arrive: nothing of a file is held here.
// Bounded by the limit on uploads, and by counts.

import busboy from 'busboy'
import { ApiError } from '../errors/api-error.ts'
import type { HttpRequest } from './request.ts'

export interface MultipartField {
  readonly name: string
  readonly value: string
}

export interface MultipartPart {
  /** Of the form's field. */
  readonly name: string
  /** As it was sent, with whatever path. */
  readonly filename: string
  /** As its sender claims; `application/octet-stream` when it does not. */
  readonly mime: string
  chunks(): AsyncIterable<Uint8Array>
}

const LIMITS = {
  fieldNameSize: 200,
  fieldSize: 1024 * 1024,
  fields: 100,
  files: 100,
  parts: 200,
  headerPairs: 20,
} as const

/**
 * Answers the fields, in their order, when every file was taken. Whoever takes a file reads it to its end, or throws: then
 * the rest of the body is dropped. Throws ApiError.
 */
export async function readMultipart(
  request: HttpRequest,
  boundary: string,
  take: (part: MultipartPart) => Promise<void>,
): Promise<readonly MultipartField[]> {
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    preservePath: true,
    limits: LIMITS,
  })
  const fields: MultipartField[] = []
  const files: Promise<void>[] = []
  let failure: unknown
  let wake = (): void => {}
  const fail = (reason: unknown): void => {
    failure ??= reason
    wake()
  }
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated) fail(tooMuch(`the field "${name}" is too large`))
    fields.push({ name, value })
  })
  parser.on('file', (name, stream, { filename, mimeType }) => {
    // Whether or not anybody reads it any more: without a listener its error would end the process.
    stream.on('error', () => fail(malformed()))
    const part: MultipartPart = {
      name,
      filename: filename ?? '',
      mime: mimeType === '' ? 'application/octet-stream' : mimeType.toLowerCase(),
      chunks: () => stream as AsyncIterable<Uint8Array>,
    }
    files.push(take(part).catch(fail))
  })
  for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(tooMuch('the body has too many parts')))
  }
  parser.on('error', () => fail(malformed()))
  const closed = new Promise<void>((resolve) => parser.on('close', resolve))
  parser.on('drain', () => wake())

  try {
    for await (const chunk of request.body.chunks()) {
      const more = parser.write(chunk)
      if (failure !== undefined) throw failure
      if (!more) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (!parser.writableNeedDrain) resolve()
        })
      }
      if (failure !== undefined) throw failure
    }
    parser.end()
    const failed = new Promise<void>((resolve) => {
      wake = resolve
    })
    if (failure === undefined) await Promise.race([closed, failed])
    await Promise.all(files)
    if (failure !== undefined) throw failure
    return fields
  } catch (error) {
    parser.destroy()
    // What a file's taker began, it ends; its own failure is the one that counts.
    await Promise.all(files)
    throw failure ?? error
  }
}

function tooMuch(message: string): ApiError {
  return new ApiError('PayloadTooLargeError', message)
}

function malformed(): ApiError {
  return new ApiError('BadRequestError', 'the multipart body is malformed')
}
