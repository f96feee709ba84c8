// Responds to a repeated POST with the response to the first, if both have the same `Idempotency-Key`
// (draft-ietf-httpapi-idempotency-key-header-07).

import { createHash } from 'node:crypto'
import type { Principal } from '../access/principal.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { RequestKeyClaim, RequestKeys } from './stored-request-keys.ts'

export interface Idempotency {
  /**
   * For requests with the header: runs the write, or repeats the response of an earlier one. `content`: the parsed payload. Throws
   * BadRequestError for an invalid key, UnprocessableContentError for another payload under the key, and
   * ConflictError while the first request runs. Responses from 400 to 499 release the key.
   */
  through(
    request: HttpRequest,
    by: Principal,
    content: unknown,
    write: () => Reply | Promise<Reply>,
  ): Promise<Reply>
}

const HEADER = 'idempotency-key'
const LIFETIME_MS = 24 * 60 * 60 * 1000
const MAX_STORED_CHARACTERS = 1_000_000

/** Quoted, as the draft has it, or bare, as most clients send it. */
const KEY = /^"?([\x21\x23-\x7e]{1,255})"?$/

export function hasIdempotencyKey(request: HttpRequest): boolean {
  return request.method === 'POST' && request.header(HEADER) !== undefined
}

export function createIdempotency(keys: RequestKeys, now: () => number): Idempotency {
  async function respond(
    request: HttpRequest,
    by: Principal,
    content: unknown,
    write: () => Reply | Promise<Reply>,
  ): Promise<Reply> {
    const key = digest([by.kind, by.name, by.id, by.subject, readKey(request)])
    const fingerprint = digest([request.path, request.query, content])
    const moment = now()
    const earlier = await keys.claim(key, fingerprint, moment, moment + LIFETIME_MS)
    if (earlier !== undefined) return repeat(earlier, fingerprint)
    let reply: Reply
    try {
      reply = await write()
    } catch (error) {
      // After another error the write may have been committed: the key stays taken, so that it is not done twice.
      if (error instanceof ApiError && error.status < 500) await keys.release(key)
      throw error
    }
    const { status } = reply
    if (status < 400) await keys.finish(key, { ...buildStored(reply), status })
    else if (status < 500) await keys.release(key)
    return reply
  }

  return { through: respond }
}

function readKey(request: HttpRequest): string {
  const [, key] = KEY.exec(request.header(HEADER) ?? '') ?? []
  if (key === undefined)
    throw new ApiError('BadRequestError', 'Idempotency-Key must have 1 to 255 printable characters')
  // A repeated form has another boundary and makes files again before its fields can be compared.
  if (/^multipart\//i.test(request.header('content-type') ?? ''))
    throw new ApiError('BadRequestError', 'Idempotency-Key needs a JSON body, not a form')
  return key
}

function repeat({ fingerprint, response }: RequestKeyClaim, sent: string): Reply {
  if (fingerprint !== sent)
    throw new ApiError('UnprocessableContentError', 'This Idempotency-Key was used for another request')
  if (response === undefined) {
    const message = 'A request with this Idempotency-Key is running, or ended without a response'
    throw new ApiError('ConflictError', message, {}, { 'retry-after': '1' })
  }
  const { status, body, contentType } = response
  if (body === null)
    throw new ApiError('ConflictError', 'The request was done; its response is too long to be repeated')
  return { ...jsonReply(status, body), contentType }
}

function buildStored({ body, contentType }: Reply): {
  readonly body: string | null
  readonly contentType: string
} {
  const isText = typeof body === 'string' && body.length <= MAX_STORED_CHARACTERS
  return { body: body === undefined ? '' : isText ? body : null, contentType: contentType ?? '' }
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
