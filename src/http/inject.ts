// Calls a handler without a socket, through `fetch`, with the transports' limits and rules.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import { ByteList } from '../lib/byte-list.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { BodyBudget, BodyShare } from './body/body-budget.ts'
import { createPayloadTooLarge, requestAborted } from './body/body-buffer.ts'
import { isUpload } from './body/content-type.ts'
import { buildErrorReply } from './error-reply.ts'
import { type BodyStream, getBodyLength, isBodyStream, type Reply } from './reply.ts'
import { listHeaderPairs } from './reply-head.ts'
import type { IncomingRequest, Lease } from './request.ts'
import { CHUNKED, checkRequestLine, checkTarget, requestId } from './request-head.ts'
import type { ServedHandler, ServerLimits, ServerOptions } from './server.ts'
import { isBodiless } from './status-line.ts'
import { SEND_TIMEOUT_MS } from './timeouts.ts'

/** The URL may be a path (`/api/articles`); the host of a full URL is ignored. */
export type InjectFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const BASE = 'http://localhost'

/** Rejects only on the caller's abort or when the request is invalid. */
export function injectFetch({
  handler,
  limits,
  onFault,
  onResponse: onAnswered,
  headers,
}: ServerOptions): InjectFetch {
  const budget = new BodyBudget(limits.bodies)
  return async (input, init) => {
    const request = new Request(
      typeof input === 'string' && input.startsWith('/') ? BASE + input : input,
      init,
    )
    request.signal.throwIfAborted()
    const ending = createEnding()
    const share = new BodyShare(budget)
    const incoming = toIncomingRequest(request, limits, share, ending)
    const failure = (error: unknown): Reply => {
      const reply = buildErrorReply(error, (fault) => onFault(fault, incoming.id))
      return { ...reply, common: headers }
    }
    const late = (): Reply => failure(new ApiError('ServiceUnavailableError', 'the request took too long'))
    const began = onAnswered === undefined ? 0 : performance.now()
    let sent: Reply | undefined
    const answered = respond(handler, incoming, limits, failure)
    try {
      const reply = await raceReply(answered, request.signal, limits.requestTimeout, late).finally(() => {
        ending.end()
        share.close()
      })
      const response = checkedResponse(reply, incoming, failure)
      sent = { ...reply, status: response.status }
      return response
    } finally {
      takeLease(incoming)?.release()
      // Runners that look for leaks would find an unread body's stream open.
      if (request.body?.locked === false) endReading(request, request.body)
      const ended = performance.now()
      onAnswered?.(incoming, sent, ended - began)
    }
  }
}

/** Created lazily: creating and aborting a signal takes a fifth of a small request. */
interface RequestEnd {
  readonly signal: AbortSignal
  end(): void
}

function createEnding(): RequestEnd {
  let controller: AbortController | undefined
  let isOver = false
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController()
        if (isOver) controller.abort()
      }
      return controller.signal
    },
    end() {
      isOver = true
      controller?.abort()
    },
  }
}

async function respond(
  handler: ServedHandler,
  incoming: IncomingRequest,
  limits: ServerLimits,
  failure: (error: unknown) => Reply,
): Promise<Reply> {
  try {
    checkRequestLine(incoming.method, incoming.path)
    checkTarget(incoming.path, incoming.query, limits.url)
    const reply = await handler(incoming)
    if (reply.socket === undefined) return reply
    throw new ApiError('BadRequestError', 'a WebSocket needs a server that listens')
  } catch (error) {
    return failure(error)
  }
}

function raceReply(
  reply: Promise<Reply>,
  signal: AbortSignal,
  timeout: number,
  late: () => Reply,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), timeout)
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort)
    reply.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  })
}

function toIncomingRequest(
  request: Request,
  limits: ServerLimits,
  share: BodyShare,
  ending: RequestEnd,
): IncomingRequest {
  const { pathname, search } = new URL(request.url)
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header,
    headerNames: () => [...request.headers.keys()],
    // The caller is in this process and has the response at once.
    holdResponse() {},
    address: '127.0.0.1',
    id: requestId(header('x-request-id')),
    get signal() {
      return ending.signal
    },
    lease: undefined,
    route: undefined,
    body: {
      present: request.body !== null,
      memoryLimit: limits.body,
      arrived: () => undefined,
      bytes: () => readAll(request, limits, share),
      chunks: () => readPieces(request, limits),
      hold: (bytes) => (bytes > 0 ? share.take(bytes) : share.release(-bytes)),
      tryHold: (bytes) => share.tryTake(bytes),
    },
  }
}

async function readAll(
  request: Request,
  { body: limit }: ServerLimits,
  share: BodyShare,
): Promise<Uint8Array> {
  if (announcedBy(request) > limit) throw createPayloadTooLarge()
  const read = new ByteList()
  const reader = request.body?.getReader()
  try {
    for (;;) {
      const piece = await reader?.read().catch(() => Promise.reject(requestAborted()))
      if (piece === undefined || piece.done) return read.joined()
      if (read.length + piece.value.length > limit) throw createPayloadTooLarge()
      share.take(piece.value.length)
      read.add(piece.value)
    }
  } finally {
    endReading(request, reader)
  }
}

const OF_A_FORM = /boundary="?-+formdata-undici/

/**
 * A form's stream is left to the garbage collector: Node 24 writes into it after it was cancelled, which
 * causes an unhandled rejection.
 */
function endReading(request: Request, body: Pick<ReadableStream, 'cancel'> | undefined): void {
  if (OF_A_FORM.test(request.headers.get('content-type') ?? '')) return
  void body?.cancel().catch(() => undefined)
}

/** Bytes. A form's file arrives in one chunk, but its readers rely on pieces of a socket's size. */
const CHUNK_BYTES = 65_536

async function* readPieces(request: Request, limits: ServerLimits): AsyncGenerator<Uint8Array> {
  const upload = isUpload(request.headers.get('content-type') ?? undefined)
  const limit = upload ? limits.upload : limits.body
  if (announcedBy(request) > limit) throw createPayloadTooLarge()
  let received = 0
  const reader = request.body?.getReader()
  try {
    for (;;) {
      const piece = await reader?.read().catch(() => Promise.reject(requestAborted()))
      if (piece === undefined || piece.done) return
      received += piece.value.length
      if (received > limit) throw createPayloadTooLarge()
      for (let at = 0; at < piece.value.length; at += CHUNK_BYTES)
        yield piece.value.subarray(at, at + CHUNK_BYTES)
    }
  } finally {
    endReading(request, reader)
  }
}

function announcedBy(request: Request): number {
  return Number(request.headers.get('content-length') ?? CHUNKED)
}

function checkedResponse(
  reply: Reply,
  request: IncomingRequest,
  failure: (error: unknown) => Reply,
): Response {
  try {
    return toResponse(reply, request)
  } catch (fault) {
    return toResponse(failure(fault), request)
  }
}

function toResponse(reply: Reply, request: IncomingRequest): Response {
  const { method, id } = request
  const headers = new Headers([['x-request-id', id]])
  for (const [name, value] of listHeaderPairs(reply)) headers.append(name, value)
  const { status, body = '' } = reply
  const length = isBodiless(status) ? undefined : getBodyLength(body)
  if (length !== undefined) headers.set('content-length', String(length))
  if (method === 'HEAD' || isBodiless(status)) return new Response(null, { status, headers })
  if (isBodyStream(body)) return new Response(toReadable(body, takeLease(request)), { status, headers })
  // A string body saves a copy, but without a content-type `Response` would add one.
  if (typeof body === 'string' && headers.has('content-type')) return new Response(body, { status, headers })
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return new Response(new Uint8Array(bytes), { status, headers })
}

function takeLease(request: IncomingRequest): Lease | undefined {
  const { lease } = request
  request.lease = undefined
  return lease
}

/** The stream ends when it is cancelled, or not read for SEND_TIMEOUT. */
function toReadable(body: BodyStream, lease: Lease | undefined): ReadableStream<Uint8Array> {
  const pieces = body.chunks()[Symbol.asyncIterator]()
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  let held = lease
  /** A reader may cancel while the next piece is pending: both end the response. */
  function release(): void {
    held?.release()
    held = undefined
  }
  async function stop(): Promise<void> {
    clearTimeout(timer)
    try {
      await pieces.return?.()
    } finally {
      release()
    }
  }
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(timer)
      try {
        const { done, value } = await pieces.next()
        if (done !== true) {
          sent += value.length
          controller.enqueue(value)
          timer = setTimeout(() => {
            controller.error(new Error('the response was not read in time'))
            stop().catch(() => undefined)
          }, SEND_TIMEOUT_MS).unref()
          return
        }
        // A socket would be closed here.
        if (sent < (body.length ?? 0)) controller.error(new TypeError('terminated: the connection was lost'))
        else controller.close()
      } catch (fault) {
        release()
        throw fault
      }
      release()
    },
    cancel: stop,
  })
}
