// The exchange over node:http, with the same rules as over uWebSockets.js.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { clearTimeout, setTimeout } from 'node:timers'
import { ApiError } from '../../lib/errors/api-error.ts'
import { type BodyBuffer, requestAborted } from '../body/body-buffer.ts'
import { Exchange } from '../exchange.ts'
import type { ExchangeHost } from '../exchange-host.ts'
import { type BodyStream, getBodyLength, isBodyStream, type Reply, readUntilGone } from '../reply.ts'
import { listHeaderPairs } from '../reply-head.ts'
import type { ServedHandler } from '../server.ts'
import type { SocketOffer } from '../socket.ts'
import { getStatusLine, isBodiless } from '../status-line.ts'
import { SEND_TIMEOUT_MS } from '../timeouts.ts'
import { LARGE_RESPONSE_BYTES } from '../unsent-responses.ts'
import type { NodeHandshake, NodeSockets } from './node-sockets.ts'

export interface NodeConnection {
  /** Requests after the last one of the connection are ignored. */
  ended: boolean
  /** True when few connections are left: the response then closes this one. */
  readonly crowded: boolean
  /** Pipelined requests run concurrently. */
  readonly open: Set<NodeExchange>
}

export interface NodeHost extends ExchangeHost {
  readonly sockets: NodeSockets
}

export class NodeExchange extends Exchange<NodeHost> {
  private readonly message: IncomingMessage
  private readonly response: ServerResponse
  private readonly connection: NodeConnection
  private timer: NodeJS.Timeout | undefined
  private readonly handshake: NodeHandshake | undefined

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    host: NodeHost,
    connection: NodeConnection,
    handshake?: NodeHandshake,
  ) {
    const target = utf8(message.url ?? '')
    const mark = target.indexOf('?')
    super(host, {
      method: message.method ?? '',
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? '' : target.slice(mark + 1),
      headers: message.rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)),
    })
    this.message = message
    this.response = response
    this.connection = connection
    this.handshake = handshake
    connection.open.add(this)
    response.once('close', () => this.closed())
    response.on('error', ignored)
    message.on('error', ignored)
  }

  get address(): string {
    return this.host.clientAddress(this.message.socket.remoteAddress ?? '', this.header('x-forwarded-for'))
  }

  run(handler: ServedHandler): void {
    try {
      this.readHead()
    } catch (error) {
      this.send(this.failure(error), true)
      return
    }
    if (this.admit()) this.start(handler)
    if (this.state === 'open' && !this.awaitsBody) this.startClock()
  }

  protected override isCrowded(): boolean {
    return this.connection.crowded
  }

  protected override checkVersion(): void {
    const { httpVersion } = this.message
    if (httpVersion === '1.1') {
      if (this.header('host') === undefined) throw new ApiError('BadRequestError', 'missing host')
    } else if (httpVersion !== '1.0') {
      throw new ApiError('BadRequestError', 'unknown version of HTTP')
    }
  }

  /** Handles a parser error within this request's body. Returns false if a response was already sent. */
  breakOff(error: ApiError): boolean {
    if (this.incoming === undefined || this.incoming.ended) return false
    if (this.state !== 'open' && this.state !== 'held') return false
    this.incoming.fail(error)
    this.send(this.failure(error), true)
    return true
  }

  protected breakConnection(): void {
    this.message.socket.destroy()
  }

  protected pauseSocket(): void {
    this.message.pause()
  }

  protected resumeSocket(): void {
    this.message.resume()
  }

  protected listen(incoming: BodyBuffer): void {
    if (this.chunked) this.connection.ended = true
    this.message.on('data', (chunk: Buffer) => this.received(incoming, chunk))
    this.message.on('end', () => {
      this.bodyEnded(incoming)
      this.begin()
    })
  }

  protected expireAfter(milliseconds: number): void {
    this.deadline = performance.now() + milliseconds
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.expire(), milliseconds).unref()
  }

  private expire(): void {
    const left = this.deadline - performance.now()
    if (left > 1) this.timer = setTimeout(() => this.expire(), left).unref()
    else this.timeIsUp()
  }

  closed(): void {
    if (!this.connection.open.delete(this)) return
    clearTimeout(this.timer)
    if (this.state !== 'sending' || !this.response.writableFinished) this.controller?.abort()
    this.state = 'done'
    this.incoming?.fail(requestAborted())
    this.over()
  }

  protected override accept(offer: SocketOffer): void {
    const { handshake, response, host } = this
    if (handshake === undefined) {
      super.accept(offer)
      return
    }
    const { address } = this
    const lease = this.takeLease()
    const leave = this.takeStream()
    this.sent = { status: 101 }
    response.detachSocket(this.message.socket)
    this.closed()
    host.sockets
      .accept(handshake, address, offer, () => {
        lease?.release()
        leave?.()
      })
      .catch((fault: unknown) => {
        host.options.onFault(fault, this.id)
        this.message.socket.destroy()
      })
  }

  protected send(reply: Reply, close: boolean): void {
    let pairs: ReturnType<typeof listHeaderPairs>
    try {
      pairs = listHeaderPairs(reply)
    } catch (fault) {
      this.send(this.failure(fault), close)
      return
    }
    const { response } = this
    const { status, body = '' } = reply
    this.state = 'sending'
    this.sent = reply
    this.expireAfter(SEND_TIMEOUT_MS)
    // node:http writes a list as it is, but collects single headers in an object.
    const head = ['x-request-id', this.id]
    for (const [name, value] of pairs) head.push(name, value)
    if (close) {
      this.connection.ended = true
      head.push('connection', 'close')
    }
    const length = isBodiless(status) ? undefined : getBodyLength(body)
    if (length !== undefined) head.push('content-length', String(length))
    response.writeHead(status, getStatusLine(status).slice(4), head)
    if (this.method === 'HEAD' || isBodiless(status)) response.end()
    else if (isBodyStream(body)) void this.stream(body)
    else if (body.length >= LARGE_RESPONSE_BYTES) void this.stream(inSlices(body), true)
    else {
      response.end(body)
      // Or the response waits behind an earlier request's.
      if (response.writableLength > 0) this.counted().set(response.writableLength)
    }
  }

  /** When the body fails, destroys the connection, so that the response does not look complete. */
  private async stream(body: BodyStream, isCounted = false): Promise<void> {
    let sent = 0
    const progress = (chunk: Uint8Array): Uint8Array => {
      this.waits(isCounted ? (body.length ?? 0) - sent : chunk.length)
      sent += chunk.length
      this.deadline = performance.now() + SEND_TIMEOUT_MS
      return chunk
    }
    const lease = this.takeLease()
    // Since Node 24, a body's fault closes the response before this code receives it.
    let own: unknown
    const failed = (fault: unknown): void => {
      own = fault
    }
    try {
      const chunks = readUntilGone(body, this.signal, failed)
      await pipeline(Readable.from(readEach(chunks, progress, failed), { objectMode: false }), this.response)
      if (sent < (body.length ?? 0)) this.message.socket.destroy()
    } catch (fault) {
      if (own !== undefined || (!this.response.closed && !isGone(fault)))
        this.host.options.onFault(fault, this.id)
      this.message.socket.destroy()
    } finally {
      lease?.release()
    }
  }
}

function inSlices(body: string | Uint8Array): BodyStream {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    length: bytes.length,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += LARGE_RESPONSE_BYTES)
        yield bytes.subarray(at, at + LARGE_RESPONSE_BYTES)
    },
  }
}

/** The event 'close' ends the exchange. */
function ignored(): void {}

/** node:http decodes the target as Latin-1, but clients that do not percent-encode text send UTF-8. */
function utf8(target: string): string {
  return /[\x80-\xff]/.test(target) ? Buffer.from(target, 'latin1').toString() : target
}

/** `failed` receives only faults of the body: a reader that leaves throws at `yield`. */
async function* readEach(
  chunks: AsyncIterable<Uint8Array>,
  visit: (chunk: Uint8Array) => Uint8Array,
  failed: (fault: unknown) => void,
): AsyncGenerator<Uint8Array> {
  let handing = false
  try {
    for await (const chunk of chunks) {
      const visited = visit(chunk)
      handing = true
      yield visited
      handing = false
    }
  } catch (fault) {
    if (!handing) failed(fault)
    throw fault
  }
}

function isGone(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
