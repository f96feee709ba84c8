// A multipart body -> the text of its `data` and its files, each with the attribute it is for: `files.photo`,
// `files.seo.image`, `files.sections[0].image` (BEHAVIOUR 9.17). Bounded by the limit on bodies, and by counts.

import busboy from 'busboy'
import { ApiError } from '../errors/api-error.ts'
import type { HttpRequest } from '../http/request.ts'

export interface MultipartFile {
  /** Attribute names and indexes. */
  readonly path: readonly string[]
  readonly filename: string
  readonly mime: string
  readonly bytes: Uint8Array
}

export interface Multipart {
  /** As it was sent; undefined when there was none. */
  readonly data: string | undefined
  readonly files: readonly MultipartFile[]
}

const LIMITS = { fieldNameSize: 200, fieldSize: 1024 * 1024, fields: 100, files: 100, parts: 200 } as const

export async function parseMultipart(request: HttpRequest, boundary: string): Promise<Multipart> {
  const bytes = await request.body.bytes()
  const files: MultipartFile[] = []
  let data: string | undefined
  let refusal: ApiError | undefined
  await new Promise<void>((resolve, reject) => {
    const parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      defParamCharset: 'utf8',
      limits: LIMITS,
    })
    parser.on('field', (name, value, { valueTruncated }) => {
      if (name !== 'data') return
      if (valueTruncated) refusal ??= new ApiError('PayloadTooLargeError', 'the field "data" is too large')
      data = value
    })
    parser.on('file', (name, stream, { filename, mimeType }) => {
      if (!name.startsWith('files.')) refusal ??= wrongPrefix()
      const chunks: Uint8Array[] = []
      stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
      stream.on('end', () => {
        const path = name
          .slice('files.'.length)
          .split(/[.[\]]+/)
          .filter((step) => step !== '')
        files.push({ path, filename, mime: mimeType, bytes: Buffer.concat(chunks) })
      })
    })
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) {
      parser.on(limit, () => {
        refusal ??= new ApiError('PayloadTooLargeError', 'the body has too many parts')
      })
    }
    parser.on('error', () => reject(malformed()))
    parser.on('close', resolve)
    parser.end(bytes)
  })
  if (refusal !== undefined) throw refusal
  return { data, files }
}

function wrongPrefix(): ApiError {
  return new ApiError(
    'BadRequestError',
    `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.
For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`,
  )
}

function malformed(): ApiError {
  return new ApiError('BadRequestError', 'the multipart body is malformed')
}
