// Runs an exchange over uWebSockets.js, whose response and request are valid only for a limited time.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { type BodyBuffer, requestAborted } from '../body/body-buffer.ts'
import type { Deadline, Deadlines } from '../deadlines.ts'
import { Exchange } from '../exchange.ts'
import type { ExchangeHost } from '../exchange-host.ts'
import { type BodyStream, isBodyStream, type Reply } from '../reply.ts'
import { formatHeaders } from '../reply-head.ts'
import type { ServedHandler } from '../server.ts'
import type { SocketOffer } from '../socket.ts'
import { SEND_TIMEOUT_MS } from '../timeouts.ts'
import { LARGE_RESPONSE_BYTES } from '../unsent-responses.ts'
import { copyHeaders, type UwsRequest, type UwsResponse, type UwsSocketContext } from './uws-binding.ts'
import type { UwsSockets } from './uws-sockets.ts'
import { sendStream } from './uws-stream.ts'
import { asksToClose, CLOSES, hasOwnPace, refuseNow, writeStart, writeWhole } from './uws-write.ts'

export interface UwsHost extends ExchangeHost {
  readonly deadlines: Deadlines
  readonly sockets: UwsSockets
  readonly keepAlive: string
}

export class UwsExchange extends Exchange<UwsHost> implements Deadline {
  private readonly response: UwsResponse
  /** The socket is corked during the callback of uWebSockets.js. */
  private corked = true
  private peer: string | undefined
  /** A head was written without `end`: the socket has to be closed. */
  private unframed = false

  private readonly context: UwsSocketContext | undefined

  constructor(response: UwsResponse, request: UwsRequest, host: UwsHost, context?: UwsSocketContext) {
    super(host, {
      method: request.getCaseSensitiveMethod(),
      path: request.getUrl(),
      query: request.getQuery() ?? '',
      headers: copyHeaders(request),
    })
    this.response = response
    this.context = context
  }

  get address(): string {
    if (this.peer === undefined) {
      const peer =
        this.state === 'done' ? '' : Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1')
      this.peer = this.host.clientAddress(peer, this.header('x-forwarded-for'))
    }
    return this.peer
  }

  /** Called once, inside the callback of uWebSockets.js. */
  run(handler: ServedHandler): void {
    try {
      this.readHead()
    } catch (error) {
      const refusal = this.failure(error)
      this.sent = refusal
      this.finish()
      refuseNow(this.response, refusal, this.id)
      return
    }
    if (this.admit()) this.start(handler)
    this.corked = false
    if (this.state === 'done') return
    this.response.onAborted(() => this.abort())
    if (this.state === 'open' && !this.awaitsBody) this.startClock()
  }

  /** The response is corked during this turn. */
  protected override respondAtOnce(reply: Reply): void {
    this.respond(reply)
  }

  /** The response must not be used any more. */
  abort(): void {
    if (this.state === 'done') return
    this.finish()
    this.incoming?.fail(requestAborted())
    this.controller?.abort()
  }

  expire(): void {
    this.timeIsUp()
  }

  protected breakConnection(): void {
    this.response.close()
  }

  protected pauseSocket(): void {
    this.response.pause()
  }

  protected resumeSocket(): void {
    this.response.resume()
  }

  protected listen(incoming: BodyBuffer): void {
    this.response.onData((chunk, isLast) => {
      if (this.state === 'done') return
      try {
        // uWebSockets.js reuses the memory of a chunk after the callback.
        this.received(incoming, Buffer.from(new Uint8Array(chunk)))
        if (!isLast || incoming.inCrumbs) return
        this.bodyEnded(incoming)
        // uWebSockets.js has corked the response.
        this.corked = true
        this.begin()
        this.corked = false
      } catch (fault) {
        this.respond(this.failure(fault))
      }
    })
  }

  /**
   * Waits a turn: bytes after a chunked body (trailers, or a request smuggled as trailers) would be parsed as
   * the next request, and uWebSockets.js drops the connection when one arrives before the response is sent.
   */
  protected override release(): void {
    if (this.state === 'held') setImmediate(() => this.sendHeld())
  }

  protected expireAfter(milliseconds: number): void {
    this.deadline = performance.now() + milliseconds
    this.host.deadlines.add(this)
  }

  protected override accept(offer: SocketOffer): void {
    const { response, context } = this
    const key = this.header('sec-websocket-key')
    if (context === undefined || key === undefined || this.incoming !== undefined) {
      super.accept(offer)
      return
    }
    const { sockets } = this.host
    // The address is lost once the response is gone.
    const { address } = this
    const lease = this.takeLease()
    const leave = this.takeStream()
    this.sent = { status: 101 }
    this.finish()
    const closed = (): void => {
      lease?.release()
      leave?.()
    }
    const upgrade = (): void => sockets.accept({ response, context, key }, address, offer, closed)
    if (this.corked) upgrade()
    else response.cork(upgrade)
  }

  private finish(): void {
    this.state = 'done'
    if (this.deadline !== 0) this.host.deadlines.remove(this)
    this.over()
  }

  protected send(reply: Reply, close: boolean): void {
    const ends = close || asksToClose(this.header('connection'))
    let lines: string
    try {
      lines = this.id + (ends ? '' : this.host.keepAlive) + formatHeaders(reply)
    } catch (fault) {
      this.send(this.failure(fault), close)
      return
    }
    // uWebSockets.js does not send `connection: close` when it closes.
    if (ends && !close) lines += CLOSES
    if (this.corked) {
      this.write(reply, lines, close)
    } else {
      this.response.cork(() => this.write(reply, lines, close))
      if (this.unframed) this.response.close()
    }
  }

  private write(reply: Reply, lines: string, close: boolean): void {
    const { response, method } = this
    this.sent = reply
    if (hasOwnPace(method, reply, close)) {
      writeStart(response, reply.status, close ? lines + CLOSES : lines)
      if (isBodyStream(reply.body)) this.sendStream(reply.body)
      else this.sendWhole(reply.body)
      return
    }
    this.finish()
    this.unframed = writeWhole(response, method, reply, lines, close, this.corked)
  }

  private sendStream(body: BodyStream): void {
    this.state = 'sending'
    this.expireAfter(SEND_TIMEOUT_MS)
    const lease = this.takeLease()
    void sendStream(this.response, body, {
      gone: this.signal,
      waits: (bytes) => this.waits(bytes),
      progress: () => {
        this.deadline = performance.now() + SEND_TIMEOUT_MS
      },
      ended: () => this.finish(),
      failed: (fault) => this.host.options.onFault(fault, this.id),
    }).finally(() => lease?.release())
  }

  /**
   * `end` buffers without a limit, even for a client that pipelines requests and reads no responses. While a
   * response waits here, uWebSockets.js closes the connection at the next request.
   */
  private sendWhole(whole: string | Uint8Array): void {
    const { response } = this
    this.state = 'sending'
    const isSmallText = typeof whole === 'string' && whole.length < LARGE_RESPONSE_BYTES
    if (isSmallText && response.tryEnd(whole, Buffer.byteLength(whole))[1]) {
      this.finish()
      return
    }
    const body = typeof whole === 'string' ? Buffer.from(whole) : whole
    if (!isSmallText && response.tryEnd(body, body.length)[1]) {
      this.finish()
      return
    }
    this.expireAfter(SEND_TIMEOUT_MS)
    this.waits(body.length - response.getWriteOffset())
    response.onWritable((offset) => {
      const [ok, ended] = response.tryEnd(body.subarray(offset), body.length)
      if (ended) {
        this.finish()
      } else {
        this.deadline = performance.now() + SEND_TIMEOUT_MS
        this.waits(body.length - response.getWriteOffset())
      }
      return ok
    })
  }
}
