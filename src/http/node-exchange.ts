// One request over node:http and its answer, with the same rules as over uWebSockets.js. One long file, because every
// line of it depends on the state.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { clearTimeout, setTimeout } from 'node:timers'
import { ApiError } from '../errors/api-error.ts'
import type { BodyBudget } from './body-budget.ts'
import { BodyBuffer, chunksTooSmall, NO_BODY, requestAborted } from './body-buffer.ts'
import type { ClientAddress } from './client-address.ts'
import { isUpload } from './content-type.ts'
import { errorReply } from './error-reply.ts'
import { isOwnPath } from './gateway.ts'
import type { Load } from './load.ts'
import { LINGER_BYTES, LINGER_TIME, SEND_TIMEOUT, uploadDeadline } from './patience.ts'
import type { IncomingBody } from './read-body.ts'
import { type BodyStream, bodyLengthOf, type Handler, isBodyStream, type Reply } from './reply.ts'
import { headerPairs } from './reply-head.ts'
import type { HttpRequest } from './request.ts'
import { bodyLength, CHUNKED, checkRequestLine, checkTarget, headerNames, headerOf } from './request-head.ts'
import { requestId } from './request-id.ts'
import type { ServerOptions } from './server.ts'
import { isBodiless, statusLine } from './status-line.ts'

/** What all exchanges of a server share. */
export interface NodeHost {
  readonly options: ServerOptions
  readonly clientAddress: ClientAddress
  readonly bodies: BodyBudget
  readonly load: Load
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
  /** On the clock of `performance.now()`: an upload that goes on moves it. */
  private deadline = 0
  private incoming: BodyBuffer | undefined
  private heldReply: Reply | undefined
  /** How much of the body was here when its answer began to wait for the rest. */
  private heldAt = 0
  private controller: AbortController | undefined
  /** idle: its body is still to come; counted: as work of the process; settled: the handler is done with it. */
  private work: 'idle' | 'counted' | 'settled' = 'idle'

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

  headerNames(): readonly string[] {
    return headerNames(this.headers)
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
      if (!isOwnPath(this.path)) this.host.load.admit()
      const outcome = handler(this)
      if (this.incoming?.ended !== false) this.begin()
      this.settle(await outcome)
    } catch (error) {
      this.settle(this.failure(error))
    }
  }

  /** Counted until its handler is done, or late, or the client has gone: a body that is still sent is no work. */
  private begin(): void {
    if (this.work !== 'idle') return
    this.work = 'counted'
    this.host.load.begin()
  }

  private settle(reply: Reply): void {
    this.leave()
    this.answer(reply)
  }

  private leave(): void {
    if (this.work === 'counted') this.host.load.end()
    this.work = 'settled'
  }

  private receive(length: number): void {
    const { limits } = this.host.options
    const upload = isUpload(this.header('content-type'))
    const incoming = new BodyBuffer(length, limits, this.host.bodies, upload, {
      pause: () => this.message.pause(),
      resume: () => this.message.resume(),
    })
    const started = performance.now()
    const goesOn = (): void => {
      if (upload && this.state === 'open') this.deadline = uploadDeadline(started, incoming, limits)
    }
    this.incoming = incoming
    this.body = incoming
    this.chunked = length === CHUNKED
    if (this.chunked) this.connection.ended = true
    this.message.on('data', (chunk: Buffer) => {
      incoming.push(chunk)
      if (incoming.inCrumbs) this.cutOff()
      goesOn()
      if (incoming.received - this.heldAt > LINGER_BYTES) this.release()
    })
    this.message.on('end', () => {
      incoming.end()
      this.begin()
      goesOn()
      this.release()
    })
  }

  private answer(reply: Reply): void {
    if (this.state !== 'open') return
    const { incoming } = this
    if (!incoming || !(this.chunked || incoming.endless)) {
      this.send(reply, this.host.closing)
      return
    }
    this.state = 'held'
    this.heldReply = reply
    this.heldAt = incoming.received
    incoming.drop()
    if (incoming.ended || this.header('expect') !== undefined) this.release()
    else this.expireAfter(LINGER_TIME)
  }

  /** Answers at once and closes, without waiting for the rest of the body. */
  private cutOff(): void {
    if (this.state === 'open') this.send(this.failure(chunksTooSmall()), true)
    else this.release()
  }

  private release(): void {
    if (this.state === 'held' && this.heldReply) this.send(this.heldReply, true)
  }

  private expireAfter(milliseconds: number): void {
    this.deadline = performance.now() + milliseconds
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.expire(), milliseconds).unref()
  }

  private expire(): void {
    const left = this.deadline - performance.now()
    if (left > 1) this.timer = setTimeout(() => this.expire(), left).unref()
    else if (this.state === 'sending') this.message.socket.destroy()
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
    this.leave()
    if (this.state !== 'sending') this.controller?.abort()
    this.state = 'done'
    this.incoming?.fail(requestAborted())
    this.incoming?.close()
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
    if (!isBodiless(status)) response.setHeader('content-length', bodyLengthOf(body))
    response.writeHead(status, statusLine(status).slice(4))
    if (this.method === 'HEAD' || isBodiless(status)) response.end()
    else if (isBodyStream(body)) void this.stream(body)
    else response.end(body)
  }

  /** A reader that goes away ends it; a body that breaks off must not look whole. */
  private async stream(body: BodyStream): Promise<void> {
    const progress = (chunk: Uint8Array): Uint8Array => {
      this.deadline = performance.now() + SEND_TIMEOUT
      return chunk
    }
    try {
      await pipeline(Readable.from(eachOf(body, progress), { objectMode: false }), this.response)
    } catch (fault) {
      if (!this.response.closed && !isGone(fault)) this.host.options.onFault(fault, this.id)
      this.message.socket.destroy()
    }
  }
}

/** node:http reads a target as Latin-1; clients that leave text unescaped send UTF-8. */
function utf8(target: string): string {
  return /[\x80-\xff]/.test(target) ? Buffer.from(target, 'latin1').toString() : target
}

async function* eachOf(
  body: BodyStream,
  visit: (chunk: Uint8Array) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body.chunks()) yield visit(chunk)
}

function isGone(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
