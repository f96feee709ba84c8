// The body of a recorded request -> bytes and the content type that goes with them.

import type { MultipartField, RecordedRequest } from './recorded-case.ts'

export interface RequestBody {
  readonly bytes: Uint8Array | undefined
  readonly contentType: string | undefined
}

/** `@repeat:C:N:PRE~POST`: PRE, then C N times, then POST; for bodies too large to write down. */
const REPEAT = /^@repeat:(.):(\d+):([^~]*)~(.*)$/s

const BOUNDARY = 'recorded-multipart-boundary'

export function bodyOf(request: RecordedRequest): RequestBody {
  if (request.multipart !== undefined) {
    return { bytes: multipart(request.multipart), contentType: `multipart/form-data; boundary=${BOUNDARY}` }
  }
  if (request.bodyRaw !== undefined) {
    const repeat = REPEAT.exec(request.bodyRaw)
    const text =
      repeat === null
        ? request.bodyRaw
        : `${repeat[3]}${(repeat[1] ?? '').repeat(Number(repeat[2]))}${repeat[4]}`
    return { bytes: Buffer.from(text), contentType: undefined }
  }
  if (!('body' in request)) return { bytes: undefined, contentType: undefined }
  return { bytes: Buffer.from(JSON.stringify(request.body)), contentType: 'application/json' }
}

function multipart(fields: readonly MultipartField[]): Uint8Array {
  const parts = fields.flatMap((field) => {
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field.name}"`
    if ('value' in field) return [Buffer.from(`${head}\r\n\r\n${field.value}\r\n`)]
    const { filename, contentType, base64 } = field.file
    return [
      Buffer.from(`${head}; filename="${filename}"\r\ncontent-type: ${contentType}\r\n\r\n`),
      Buffer.from(base64, 'base64'),
      Buffer.from('\r\n'),
    ]
  })
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
}
