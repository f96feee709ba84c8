// Two doors to one CMS: the in-process fetch, and a real socket to the server. Both say what they cannot send.

import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import type { Cms } from '../../src/index.ts'
import type { Answer } from './compare.ts'

export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | undefined
}

/** Undefined when this door cannot send such a request. */
export type Send = (request: RawRequest) => Promise<Answer | undefined>

export function sendInProcess(cms: Cms): Send {
  return async ({ method, target, headers, bytes }) => {
    // What `fetch` itself refuses or rewrites, by its standard.
    if (method === 'TRACE' || target.includes('/../') || (method === 'GET' && bytes !== undefined))
      return undefined
    const body = bytes === undefined ? {} : { body: new Uint8Array(bytes) }
    const response = await cms.fetch(target, { method, headers, redirect: 'manual', ...body })
    const contentType = response.headers.get('content-type') ?? undefined
    const answered = Buffer.from(await response.arrayBuffer())
    return answerOf(response.status, contentType, plain(answered, response.headers.get('content-encoding')))
  }
}

/** node:http, because it sends any method and a path as it stands. */
export function sendOverSocket(url: string): Send {
  const { hostname, port } = new URL(url)
  return ({ method, target, headers, bytes }) =>
    new Promise((resolve, reject) => {
      // Without a length node:http would announce an empty body in chunks for the methods it does not know.
      const bodiless = bytes === undefined && ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)
      const length = bodiless ? {} : { 'content-length': String(bytes?.length ?? 0) }
      const request = httpRequest(
        { hostname, port, method, path: target, headers: { ...headers, ...length } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const { 'content-type': type, 'content-encoding': coding } = response.headers
            resolve(answerOf(response.statusCode ?? 0, type, plain(Buffer.concat(chunks), coding)))
          })
        },
      )
      // A connection that is closed without an answer is an answer, too: status 0.
      request.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' ? resolve(answerOf(0, undefined, Buffer.alloc(0))) : reject(error),
      )
      request.end(bytes)
    })
}

/** Where the request took a compressed answer. */
function plain(bytes: Buffer, coding: string | null | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (coding === 'br') return brotliDecompressSync(bytes)
  return coding === 'gzip' || coding === 'deflate' ? unzipSync(bytes) : bytes
}

function answerOf(status: number, contentType: string | undefined, bytes: Buffer): Answer {
  // As pictures were recorded.
  if (contentType?.startsWith('image/') === true && bytes.length > 0) {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { status, contentType, body: { bytes: bytes.length, sha256 } }
  }
  const text = bytes.toString('utf8')
  if (contentType?.includes('json') !== true || text === '') {
    return { status, contentType, body: text === '' ? null : text }
  }
  return { status, contentType, body: JSON.parse(text) }
}
