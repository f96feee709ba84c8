// Serves stored files at `GET /uploads/<hash><ext>`, with ranges and validators (RFC 9110 13, 14) and headers
// that keep browsers from running them.

import type { Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ByteRange, ServedFile, UploadProvider } from '../upload-provider.ts'
import { isKey } from './file-names.ts'
import { buildDelivery } from './media-types.ts'

/** Replies 404 if the provider's files are on another server. */
export function createFileRoutes(provider: () => Promise<UploadProvider>): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/uploads/:key',
      async handler(request, [key = '']) {
        // A body has no meaning here, and reading it would keep the connection busy.
        if (request.body.present) throw new ApiError('BadRequestError', 'a file is asked for without a body')
        const place = isKey(key) ? await provider() : undefined
        const file = place?.elsewhere === true ? undefined : await place?.open?.(key)
        if (file === undefined) throw new ApiError('NotFoundError', 'Not Found')
        return serveFile(request, key, file)
      },
    },
  ]
}

function serveFile(request: HttpRequest, key: string, file: ServedFile): Reply {
  const { contentType, attachment } = buildDelivery(key)
  const etag = `"${file.size.toString(16)}-${Math.floor(file.modified.getTime()).toString(16)}"`
  const modified = Math.floor(file.modified.getTime() / 1000) * 1000
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    // A replaced file keeps its URL, so browsers revalidate each time.
    'cache-control': 'public, max-age=0, must-revalidate',
    etag,
    'last-modified': new Date(modified).toUTCString(),
    ...(contentType === 'application/pdf'
      ? {}
      : { 'content-security-policy': "default-src 'none'; sandbox" }),
    ...(attachment ? { 'content-disposition': 'attachment' } : {}),
  }
  if (isUnchanged(request, etag, modified)) return { status: 304, headers }
  const asked = request.header('if-range')
  const range =
    asked === undefined || asked === etag || asked === headers['last-modified']
      ? getRange(request.header('range'), file.size)
      : undefined
  if (range === 'unsatisfiable') {
    throw new ApiError(
      'RangeNotSatisfiableError',
      'Range Not Satisfiable',
      {},
      {
        'content-range': `bytes */${file.size}`,
      },
    )
  }
  if (range === undefined) {
    return { status: 200, headers, contentType, body: { length: file.size, chunks: () => file.chunks() } }
  }
  headers['content-range'] = `bytes ${range.start}-${range.end}/${file.size}`
  const length = range.end - range.start + 1
  return { status: 206, headers, contentType, body: { length, chunks: () => file.chunks(range) } }
}

function isUnchanged(request: HttpRequest, etag: string, modified: number): boolean {
  const tags = request.header('if-none-match')
  if (tags !== undefined) {
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  }
  const since = Date.parse(request.header('if-modified-since') ?? '')
  return !Number.isNaN(since) && modified <= since
}

const RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/

/** Supports one range; ignores lists of ranges and other units, as RFC 9110 allows. */
function getRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = RANGE.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
