// Parses a multipart body: returns its fields, and passes on its files as they arrive.

import { ApiError } from '../../lib/errors/api-error.ts'
import type { HttpRequest, IncomingBody } from '../request.ts'

export interface MultipartField {
  readonly name: string
  readonly value: string
}

interface MultipartPart {
  readonly name: string
  /** As it was sent, including any path; `file` when none was sent. */
  readonly filename: string
  /** As the sender declares it, else `application/octet-stream`. */
  readonly mime: string
  /** Memory for the small files of a request; a file is kept elsewhere when `tryHold` returns false. */
  readonly memory: { tryHold(bytes: number): boolean; release(bytes: number): void }
  chunks(): AsyncIterable<Uint8Array>
}

/**
 * Reads a file to its end, or throws; then the rest of the body is dropped. `before`: the fields before the
 * file. Called for the next file while the previous one may still be read.
 */
type TakeFile = (part: MultipartPart, before: readonly MultipartField[]) => Promise<void>

export const MAX_FILES = 100
const MAX_FIELDS = 100
const MAX_PARTS = 200
const MAX_NAME_LENGTH = 200
const MAX_OVERHEAD_BYTES = 1024 * 1024
/** Bytes of files that one request may have in memory. */
const MAX_FILE_MEMORY_BYTES = 1024 * 1024

export async function readMultipart(
  request: HttpRequest,
  boundary: string,
  take: TakeFile,
): Promise<readonly MultipartField[]> {
  const { body } = request
  const { default: busboy } = await import('busboy')
  const parser = busboy({
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    defParamCharset: 'utf8',
    preservePath: true,
    limits: {
      fieldSize: body.memoryLimit,
      fields: MAX_FIELDS,
      files: MAX_FILES,
      parts: MAX_PARTS,
      headerPairs: 20,
    },
  })
  const fields: MultipartField[] = []
  const files: Promise<void>[] = []
  const parts = getParts(body)
  let fieldBytes = 0
  let failure: unknown
  let broken = false
  const causes = new Set<unknown>()
  let wake = (): void => {}
  const fail = (reason: unknown): void => {
    failure ??= reason
    wake()
  }
  const breakOff = (cause: unknown): void => {
    causes.add(cause)
    broken = true
    wake()
  }
  const failTaking = (reason: unknown): void => {
    if (!causes.has(reason) && !isClosed(reason)) fail(reason)
  }
  const assertSound = (): void => {
    if (failure !== undefined) throw failure
    if (broken) throw malformed()
  }
  parser.on('field', (name: string | undefined, value: string | undefined, { valueTruncated }) => {
    const fault = faultOfName(name) ?? (value === undefined ? unknownCharset() : undefined)
    if (fault !== undefined || name === undefined || value === undefined) return fail(fault)
    fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
    if (valueTruncated || fieldBytes > body.memoryLimit) return fail(fieldsTooLarge(body))
    fields.push({ name, value })
  })
  parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
    // An error without a listener would end the process, even if the stream is not read.
    stream.on('error', breakOff)
    const fault = faultOfName(name)
    if (fault !== undefined || name === undefined) return fail(fault)
    const part: MultipartPart = {
      name,
      filename: filename === undefined || filename === '' ? 'file' : filename,
      mime: mimeType === '' ? 'application/octet-stream' : mimeType.toLowerCase(),
      memory: parts.memory,
      chunks: () => parts.counted(stream as AsyncIterable<Uint8Array>),
    }
    files.push(take(part, fields).catch(failTaking))
  })
  for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(tooMuch('the body has too many parts')))
  }
  parser.on('error', breakOff)
  const closed = new Promise<void>((resolve) => parser.on('close', resolve))
  parser.on('drain', () => wake())

  try {
    for await (const chunk of body.chunks()) {
      parts.written(chunk.length)
      const more = parser.write(chunk)
      assertSound()
      if (!more) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (!parser.writableNeedDrain) resolve()
        })
      }
      assertSound()
      parts.settle()
    }
    parser.end()
    const failed = new Promise<void>((resolve) => {
      wake = resolve
    })
    if (failure === undefined && !broken) await Promise.race([closed, failed])
    await Promise.all(files)
    assertSound()
    return fields
  } catch (error) {
    parser.destroy()
    // A failure of `take` has priority over the parser's.
    await Promise.all(files)
    throw failure ?? error
  } finally {
    // Settles the pending promise, which test runners would report as a leak.
    wake()
  }
}

function isClosed(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Counts the bytes in memory: those written to the parser, less those of files that `take` has read. */
function getParts(body: IncomingBody) {
  let written = 0
  let taken = 0
  let held = 0
  let fileMemory = 0
  const memory: MultipartPart['memory'] = {
    tryHold(bytes) {
      if (fileMemory + bytes > MAX_FILE_MEMORY_BYTES || !body.tryHold(bytes)) return false
      fileMemory += bytes
      return true
    },
    release(bytes) {
      fileMemory -= bytes
      body.hold(-bytes)
    },
  }
  return {
    memory,
    /** Throws ServiceUnavailableError when all requests together hold too many bytes. */
    written(bytes: number): void {
      body.hold(bytes)
      held += bytes
      written += bytes
    },
    /** Throws PayloadTooLargeError when the body holds too many bytes. */
    settle(): void {
      const kept = written - taken
      body.hold(kept - held)
      held = kept
      if (kept > body.memoryLimit + MAX_OVERHEAD_BYTES) throw fieldsTooLarge(body)
    },
    async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        taken += chunk.length
        yield chunk
      }
    },
  }
}

function faultOfName(name: string | undefined): ApiError | undefined {
  if (name === undefined || name === '')
    return new ApiError('BadRequestError', 'a part of the body has no name')
  return name.length > MAX_NAME_LENGTH
    ? new ApiError('BadRequestError', `the name of a part is longer than ${MAX_NAME_LENGTH} characters`)
    : undefined
}

function fieldsTooLarge({ memoryLimit }: IncomingBody): ApiError {
  return tooMuch(`the fields of the body are larger than ${memoryLimit} bytes together`)
}

function unknownCharset(): ApiError {
  return new ApiError('UnsupportedMediaTypeError', 'the charset of a field is not known')
}

function tooMuch(message: string): ApiError {
  return new ApiError('PayloadTooLargeError', message)
}

function malformed(): ApiError {
  return new ApiError('BadRequestError', 'the multipart body is malformed')
}
