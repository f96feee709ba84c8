// One request over uWebSockets.js and its answer: a state machine that touches the response object only while it lives.
// Everything the handler may ask for is copied before the callback returns. One long file, because every line of it
// depends on the state.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { ApiError } from '../errors/api-error.ts'
import type { BodyBudget } from './body-budget.ts'
import { BodyBuffer, chunksTooSmall, NO_BODY, requestAborted } from './body-buffer.ts'
import type { ClientAddress } from './client-address.ts'
import { isUpload } from './content-type.ts'
import type { Deadlines, Expiring } from './deadlines.ts'
import { errorReply } from './error-reply.ts'
import { isOwnPath } from './gateway.ts'
import type { Load } from './load.ts'
import { LINGER_BYTES, LINGER_TIME, SEND_TIMEOUT, uploadDeadline } from './patience.ts'
import type { IncomingBody } from './read-body.ts'
import { type Handler, isBodyStream, isPromise, type Reply, type ReplyBody } from './reply.ts'
import { headerBlock } from './reply-head.ts'
import type { HttpRequest } from './request.ts'
import {
  bodyLength,
  CHUNKED,
  checkRequestLine,
  checkTarget,
  type HeaderList,
  headerNames,
  headerOf,
} from './request-head.ts'
import { requestId } from './request-id.ts'
import type { ServerOptions } from './server.ts'
import { copyHeaders, type UwsRequest, type UwsResponse } from './uws-binding.ts'
import { sendStream } from './uws-stream.ts'
import { connectionLines, isStreamed, refuseNow, writeStart, writeWhole } from './uws-write.ts'

/** What all exchanges of a server share. */
export interface ExchangeHost {
  readonly options: ServerOptions
  readonly deadlines: Deadlines
  readonly load: Load
  readonly clientAddress: ClientAddress
  readonly bodies: BodyBudget
  /** Header lines of every answer that leaves its connection open. */
  readonly keepAlive: string
  /** True once the server is closing: every answer then ends its connection. */
  closing: boolean
  /** Called once per exchange, when its answer is out or its connection is gone. */
  finished(): void
}

export class UwsExchange implements HttpRequest, Expiring {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly id: string
  body: IncomingBody = NO_BODY
  deadline = 0

  private readonly response: UwsResponse
  private readonly host: ExchangeHost
  private readonly headers: HeaderList
  /** open: to be answered; held: the answer waits for the end of the body; sending; done: the response is dead. */
  private state: 'open' | 'held' | 'sending' | 'done' = 'open'
  /** True while the callback of uWebSockets.js runs, which corks the socket itself. */
  private corked = true
  private chunked = false
  private incoming: BodyBuffer | undefined
  private heldReply: Reply | undefined
  /** How much of the body was here when its answer began to wait for the rest. */
  private heldAt = 0
  /** idle: its body is still to come; counted: as work of the process; settled: the handler is done with it. */
  private work: 'idle' | 'counted' | 'settled' = 'idle'
  private peer: string | undefined
  private controller: AbortController | undefined
  /** True when a head was written by hand: the socket is closed behind it. */
  private unframed = false

  constructor(response: UwsResponse, request: UwsRequest, host: ExchangeHost) {
    this.response = response
    this.host = host
    this.method = request.getCaseSensitiveMethod()
    this.path = request.getUrl()
    this.query = request.getQuery() ?? ''
    this.headers = copyHeaders(request)
    this.id = requestId(headerOf(this.headers, 'x-request-id'))
  }

  header(name: string): string | undefined {
    return headerOf(this.headers, name)
  }

  headerNames(): readonly string[] {
    return headerNames(this.headers)
  }

  get address(): string {
    if (this.peer === undefined) {
      const peer =
        this.state === 'done' ? '' : Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1')
      this.peer = this.host.clientAddress(peer, this.header('x-forwarded-for'))
    }
    return this.peer
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  /** Refuses the request or hands it to the handler; called once, inside the callback of uWebSockets.js. */
  run(handler: Handler): void {
    const { limits } = this.host.options
    try {
      const length = bodyLength(this.headers)
      checkRequestLine(this.method, this.path)
      if (length !== 0) this.receive(length)
    } catch (error) {
      const refusal = this.failure(error)
      this.finish()
      refuseNow(this.response, refusal, this.id)
      return
    }
    try {
      checkTarget(this.path, this.query, limits.url)
      if (!isOwnPath(this.path)) this.host.load.admit()
      const outcome = handler(this)
      if (isPromise(outcome)) {
        if (this.incoming?.ended !== false) this.begin()
        outcome.then(
          (reply) => this.settle(reply),
          (error) => this.settle(this.failure(error)),
        )
      } else {
        this.answer(outcome)
      }
    } catch (error) {
      this.answer(this.failure(error))
    }
    this.corked = false
    if (this.state === 'open') this.expireAfter(limits.requestTimeout)
  }

  /** The connection is gone: nothing may touch the response any more. */
  abort(): void {
    if (this.state === 'done') return
    this.finish()
    this.incoming?.fail(requestAborted())
    this.controller?.abort()
  }

  expire(): void {
    if (this.state === 'sending') {
      this.response.close()
    } else if (this.state === 'held' && this.heldReply) {
      this.send(this.heldReply, true)
    } else if (this.state === 'open') {
      const late = new ApiError('ServiceUnavailableError', 'the request took too long')
      this.send(this.failure(late), true)
      this.incoming?.fail(late)
      this.controller?.abort()
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
      pause: () => this.state !== 'done' && this.response.pause(),
      resume: () => this.state !== 'done' && this.response.resume(),
    })
    this.chunked = length === CHUNKED
    this.incoming = incoming
    this.body = incoming
    const started = performance.now()
    this.response.onData((chunk, isLast) => {
      if (this.state === 'done') return
      try {
        // uWebSockets.js takes the memory of a chunk back after the callback, so it is copied.
        incoming.push(Buffer.from(new Uint8Array(chunk)))
        if (incoming.inCrumbs) {
          this.cutOff()
          return
        }
        if (isLast) {
          incoming.end()
          this.begin()
        }
        if (upload && this.state === 'open') this.deadline = uploadDeadline(started, incoming, limits)
        if (isLast || incoming.received - this.heldAt > LINGER_BYTES) this.release()
      } catch (fault) {
        this.answer(this.failure(fault))
      }
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
    // Who waits for `100 Continue` sends nothing on until it sees the answer.
    if (incoming.ended || this.header('expect') !== undefined) this.release()
    else this.expireAfter(LINGER_TIME)
  }

  /** Answers at once and closes, without waiting for the rest of the body. */
  private cutOff(): void {
    if (this.state === 'open') this.send(this.failure(chunksTooSmall()), true)
    else if (this.state === 'held' && this.heldReply) this.send(this.heldReply, true)
  }

  /**
   * Sends the held answer and closes. One turn later: bytes after a chunked body (trailers, or a request smuggled as
   * trailers) would be taken for the next request, and uWebSockets.js drops the connection when one arrives while
   * an answer is outstanding.
   */
  private release(): void {
    if (this.state !== 'held') return
    setImmediate(() => {
      if (this.state === 'held' && this.heldReply) this.send(this.heldReply, true)
    })
  }

  private failure(error: unknown): Reply {
    const reply = errorReply(error, (fault) => this.host.options.onFault(fault, this.id))
    return { ...reply, common: this.host.options.headers }
  }

  private expireAfter(milliseconds: number): void {
    this.deadline = performance.now() + milliseconds
    this.host.deadlines.add(this)
  }

  private finish(): void {
    this.state = 'done'
    this.leave()
    if (this.deadline !== 0) this.host.deadlines.remove(this)
    this.incoming?.close()
    this.host.finished()
  }

  private send(reply: Reply, close: boolean): void {
    let block = close ? '' : connectionLines(this.header('connection'), this.host.keepAlive)
    try {
      block += headerBlock(reply)
    } catch (fault) {
      this.send(this.failure(fault), close)
      return
    }
    if (this.corked) {
      this.write(reply, block, close)
    } else {
      this.response.cork(() => this.write(reply, block, close))
      if (this.unframed) this.response.close()
    }
  }

  private write(reply: Reply, block: string, close: boolean): void {
    const { response, method } = this
    const lines = this.id + block
    if (isStreamed(method, reply, close)) {
      writeStart(response, reply.status, lines)
      this.stream(reply.body)
    } else {
      this.finish()
      this.unframed = writeWhole(response, method, reply, lines, close, this.corked)
    }
  }

  private stream(whole: ReplyBody): void {
    const { response } = this
    if (isBodyStream(whole)) {
      this.state = 'sending'
      this.expireAfter(SEND_TIMEOUT)
      void sendStream(response, whole, {
        gone: this.signal,
        progress: () => {
          this.deadline = performance.now() + SEND_TIMEOUT
        },
        ended: () => this.finish(),
        failed: (fault) => this.host.options.onFault(fault, this.id),
      })
      return
    }
    const body = typeof whole === 'string' ? Buffer.from(whole) : whole
    this.state = 'sending'
    if (response.tryEnd(body, body.length)[1]) {
      this.finish()
      return
    }
    this.expireAfter(SEND_TIMEOUT)
    response.onWritable((offset) => {
      const [ok, ended] = response.tryEnd(body.subarray(offset), body.length)
      if (ended) this.finish()
      return ok
    })
  }
}
