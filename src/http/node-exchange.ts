// One request over node:http and its answer, with the same rules as over uWebSockets.js.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../errors/api-error.ts'
import { BodyBuffer, NO_BODY, requestAborted } from './body-buffer.ts'
import type { ClientAddress } from './client-address.ts'
import { errorReply } from './error-reply.ts'
import { LINGER_BYTES, LINGER_TIME, SEND_TIMEOUT } from './patience.ts'
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
  finished(): void
}

/** What the exchanges of one connection share. */
export interface NodeConnection {
  /** True once its last request has been seen: what comes after it is not looked at. */
  ended: boolean
  /** Those that are not over; pipelined ones run side by side. */
  readonly open: Set<NodeExchange>
}

export class NodeExchange implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly id: string
  body: IncomingBody = NO_BODY

  private readonly message: IncomingMessage
  private readonly response: ServerResponse
  private readonly host: NodeHost
  private readonly connection: NodeConnection
  private readonly headers: readonly string[]
  private state: 'open' | 'held' | 'sending' | 'done' = 'open'
  private chunked = false
  private timer: NodeJS.Timeout | undefined
  private incoming: BodyBuffer | undefined
  private heldReply: Reply | undefined
  private controller: AbortController | undefined

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    host: NodeHost,
    connection: NodeConnection,
  ) {
    this.message = message
    this.response = response
    this.host = host
    this.connection = connection
    connection.open.add(this)
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
    try {
      const length = bodyLength(this.headers)
      checkRequestLine(this.method, this.path)
      this.checkVersion()
      if (length !== 0) this.receive(length)
    } catch (error) {
      this.send(this.failure(error), true)
      return
    }
    this.expireAfter(this.host.options.limits.requestTimeout)
    void this.respond(handler)
  }

  private checkVersion(): void {
    const { httpVersion } = this.message
    if (httpVersion === '1.1') {
      if (this.header('host') === undefined) throw new ApiError('BadRequestError', 'missing host')
    } else if (httpVersion !== '1.0') {
      throw new ApiError('BadRequestError', 'unknown version of HTTP')
    }
  }

  /** The parser gave up within this request's body: answers with the error, if nothing was answered yet. */
  breakOff(error: ApiError): boolean {
    if (this.incoming === undefined || this.incoming.ended) return false
    if (this.state !== 'open' && this.state !== 'held') return false
    this.incoming.fail(error)
    this.send(this.failure(error), true)
    return true
  }

  private async respond(handler: Handler): Promise<void> {
    try {
      checkTarget(this.path, this.query, this.host.options.limits.url)
      this.answer(await handler(this))
    } catch (error) {
      this.answer(this.failure(error))
    }
  }

  private receive(length: number): void {
    const incoming = new BodyBuffer(length, this.host.options.limits.body)
    this.incoming = incoming
    this.body = incoming
    this.chunked = length === CHUNKED
    if (this.chunked) this.connection.ended = true
    this.message.on('data', (chunk: Buffer) => {
      incoming.push(chunk)
      if (incoming.received > LINGER_BYTES) this.release()
    })
    this.message.on('end', () => {
      incoming.end()
      this.release()
    })
  }

  private answer(reply: Reply): void {
    if (this.state !== 'open') return
    const { incoming } = this
    if (!incoming || !(this.chunked || (incoming.tooLarge && !incoming.ended))) {
      this.send(reply, this.host.closing)
      return
    }
    this.state = 'held'
    this.heldReply = reply
    if (incoming.ended || this.header('expect') !== undefined) this.release()
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
      this.incoming?.fail(late)
      this.controller?.abort()
    }
  }

  /** The answer is out, or the connection is gone. */
  closed(): void {
    if (!this.connection.open.delete(this)) return
    clearTimeout(this.timer)
    if (this.state !== 'sending') this.controller?.abort()
    this.state = 'done'
    this.incoming?.fail(requestAborted())
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
    for (const [name, value] of pairs) response.appendHeader(name, value)
    if (close) {
      this.connection.ended = true
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
