// One request over node:http and its answer, with the same rules as over uWebSockets.js.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../errors/api-error.ts'
import type { ClientAddress } from './client-address.ts'
import { errorReply } from './error-reply.ts'
import type { IncomingBody } from './read-body.ts'
import type { Handler, Reply } from './reply.ts'
import { headerPairs } from './reply-head.ts'
import type { HttpRequest } from './request.ts'
import { bodyLength, CHUNKED, checkRequestLine, checkTarget, headerOf } from './request-head.ts'
import { requestId } from './request-id.ts'
import type { ServerOptions } from './server.ts'
import { isBodiless, statusLine } from './status-line.ts'

/** What all exchanges of a server share. */
export interface NodeHost {
  readonly options: ServerOptions
  readonly clientAddress: ClientAddress
  closing: boolean
  /** Connections whose last request has been seen: what comes after it is not looked at. */
  readonly ended: WeakSet<Socket>
  finished(): void
}

const SEND_TIMEOUT = 60_000
const LINGER_TIME = 2_000
const LINGER_BYTES = 8 * 1024 * 1024
const GONE = 'the request was aborted'

export class NodeExchange implements HttpRequest, IncomingBody {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly id: string
  readonly body: IncomingBody = this
  present = false

  private readonly message: IncomingMessage
  private readonly response: ServerResponse
  private readonly host: NodeHost
  private readonly headers: readonly string[]
  private state: 'open' | 'held' | 'sending' | 'done' = 'open'
  private timer: NodeJS.Timeout | undefined
  private announced = 0
  private received = 0
  private bodyEnded = true
  private chunks: Uint8Array[] = []
  private reader: { resolve(bytes: Uint8Array): void; reject(error: unknown): void } | undefined
  private heldReply: Reply | undefined
  private controller: AbortController | undefined

  constructor(message: IncomingMessage, response: ServerResponse, host: NodeHost) {
    this.message = message
    this.response = response
    this.host = host
    this.method = message.method ?? ''
    const target = utf8(message.url ?? '')
    const mark = target.indexOf('?')
    this.path = mark === -1 ? target : target.slice(0, mark)
    this.query = mark === -1 ? '' : target.slice(mark + 1)
    this.headers = message.rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text))
    this.id = requestId(headerOf(this.headers, 'x-request-id'))
    response.once('close', () => this.closed())
    response.on('error', () => undefined)
    message.on('error', () => undefined)
  }

  header(name: string): string | undefined {
    return headerOf(this.headers, name)
  }

  get address(): string {
    return this.host.clientAddress(this.message.socket.remoteAddress ?? '', this.header('x-forwarded-for'))
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  /** Refuses the request or hands it to the handler. */
  run(handler: Handler): void {
    const { limits } = this.host.options
    try {
      this.announced = bodyLength(this.headers)
      checkRequestLine(this.method, this.path)
      if (this.message.httpVersionMajor !== 1)
        throw new ApiError('BadRequestError', 'unknown version of HTTP')
    } catch (error) {
      this.send(this.failure(error), true)
      return
    }
    if (this.announced === CHUNKED) this.host.ended.add(this.message.socket)
    if (this.announced !== 0) this.receive()
    this.expireAfter(limits.requestTimeout)
    void this.respond(handler)
  }

  private async respond(handler: Handler): Promise<void> {
    try {
      checkTarget(this.path, this.query, this.host.options.limits.url)
      this.answer(await handler(this))
    } catch (error) {
      this.answer(this.failure(error))
    }
  }

  bytes(): Promise<Uint8Array> {
    if (this.tooLarge()) return Promise.reject(payloadTooLarge())
    if (this.bodyEnded) return Promise.resolve(Buffer.concat(this.chunks))
    if (this.state === 'done') return Promise.reject(new ApiError('BadRequestError', GONE))
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject }
    })
  }

  private tooLarge(): boolean {
    const { body } = this.host.options.limits
    return this.announced > body || this.received > body
  }

  private receive(): void {
    this.present = true
    this.bodyEnded = false
    this.message.on('data', (chunk: Buffer) => {
      this.received += chunk.length
      if (this.tooLarge()) {
        this.chunks = []
        this.reader?.reject(payloadTooLarge())
        this.reader = undefined
        if (this.received > LINGER_BYTES) this.release()
      } else {
        this.chunks.push(chunk)
      }
    })
    this.message.on('end', () => {
      this.bodyEnded = true
      this.reader?.resolve(Buffer.concat(this.chunks))
      this.reader = undefined
      this.release()
    })
  }

  private answer(reply: Reply): void {
    if (this.state !== 'open') return
    if (this.announced !== CHUNKED && !(this.tooLarge() && !this.bodyEnded)) {
      this.send(reply, this.host.closing)
      return
    }
    this.state = 'held'
    this.heldReply = reply
    if (this.bodyEnded || this.header('expect') !== undefined) this.release()
    else this.expireAfter(LINGER_TIME)
  }

  private release(): void {
    if (this.state === 'held' && this.heldReply) this.send(this.heldReply, true)
  }

  private expireAfter(milliseconds: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.expire(), milliseconds).unref()
  }

  private expire(): void {
    if (this.state === 'sending') this.message.socket.destroy()
    else if (this.state === 'held') this.release()
    else if (this.state === 'open') {
      const late = new ApiError('ServiceUnavailableError', 'the request took too long')
      this.send(this.failure(late), true)
      this.reader?.reject(late)
      this.controller?.abort()
    }
  }

  /** The answer is out, or the connection is gone. */
  private closed(): void {
    clearTimeout(this.timer)
    if (this.state !== 'sending') this.controller?.abort()
    this.state = 'done'
    this.reader?.reject(new ApiError('BadRequestError', GONE))
    this.host.finished()
  }

  private failure(error: unknown): Reply {
    const reply = errorReply(error, (fault) => this.host.options.onFault(fault, this.id))
    return { ...reply, common: this.host.options.headers }
  }

  private send(reply: Reply, close: boolean): void {
    let pairs: ReturnType<typeof headerPairs>
    try {
      pairs = headerPairs(reply)
    } catch (fault) {
      this.send(this.failure(fault), close)
      return
    }
    const { response } = this
    const { status, body = '' } = reply
    this.state = 'sending'
    this.expireAfter(SEND_TIMEOUT)
    response.setHeader('x-request-id', this.id)
    for (const [name, value] of pairs) response.setHeader(name, value)
    if (close) {
      this.host.ended.add(this.message.socket)
      response.setHeader('connection', 'close')
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    if (!isBodiless(status)) response.setHeader('content-length', bytes.length)
    response.writeHead(status, statusLine(status).slice(4))
    response.end(this.method === 'HEAD' || isBodiless(status) ? undefined : bytes)
  }
}

/** node:http reads a target as Latin-1; clients that leave text unescaped send UTF-8. */
function utf8(target: string): string {
  return /[\x80-\xff]/.test(target) ? Buffer.from(target, 'latin1').toString() : target
}

function payloadTooLarge(): ApiError {
  return new ApiError('PayloadTooLargeError', 'request entity too large')
}
