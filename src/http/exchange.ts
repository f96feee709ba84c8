// One request and its answer, independent of the transport: a state machine from the head of the request to the last
// byte of the answer. Subclasses, one per transport, read and write the bytes.

import { performance } from 'node:perf_hooks'
import { encodeText, LARGE_TEXT } from '../lib/encode-text.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { nextTurn } from '../lib/next-turn.ts'
import { BodyBuffer, chunksTooSmall, type Flow, NO_BODY } from './body/body-buffer.ts'
import { isUpload } from './body/content-type.ts'
import { errorReply } from './error-reply.ts'
import type { ExchangeHost } from './exchange-host.ts'
import { isOwnPath } from './gateway.ts'
import { isBodyStream, isPromise, type Reply } from './reply.ts'
import type { IncomingBody, IncomingRequest, Lease, MatchedRoute, RequestCaller } from './request.ts'
import {
  bodyLength,
  CHUNKED,
  checkRequestLine,
  checkTarget,
  formatHeader,
  type HeaderList,
  headerNames,
  nextNumber,
  numberedId,
  wellFormedId,
} from './request-head.ts'
import type { ServedHandler } from './server.ts'
import type { SocketOffer } from './socket.ts'
import { LINGER_BYTES, LINGER_TIME, uploadDeadline } from './timeouts.ts'
import { LARGE_RESPONSE_BYTES, type UnsentResponse } from './unsent-responses.ts'

export abstract class Exchange<Host extends ExchangeHost = ExchangeHost> implements IncomingRequest, Flow {
  readonly method: string
  readonly path: string
  readonly query: string
  body: IncomingBody = NO_BODY
  lease: Lease | undefined
  route: MatchedRoute | undefined = undefined
  caller: RequestCaller | undefined = undefined
  /** On the clock of `performance.now()`; 0: none. An upload that makes progress extends it. */
  deadline = 0

  protected readonly host: Host
  protected readonly headers: HeaderList
  /** The id that the client gave the request; without one, the id is made of the number when somebody reads it. */
  protected readonly sentId: string | undefined
  protected readonly number: number
  /** open: not answered yet; held: the answer waits for the end of the body; done: the response must not be touched. */
  protected state: 'open' | 'held' | 'sending' | 'done' = 'open'
  protected incoming: BodyBuffer | undefined
  /** Set while the handler waits for a body that is expected within this turn. */
  private waiting: ServedHandler | undefined
  protected controller: AbortController | undefined
  protected heldReply: Reply | undefined
  protected chunked = false
  /** Extends the deadline while an upload makes progress; undefined for other bodies. */
  private prolong: (() => void) | undefined
  /** Bytes of the body that had arrived when the answer began to wait for the rest. */
  private heldAt = 0
  /** On the clock of `performance.now()`, which the load needs to know, too: a clock is read once. */
  private readonly began: number
  /** Counts what the client has not read yet; undefined: the answer was never large. */
  private unsent: UnsentResponse | undefined
  /** Gives back the place among the streams and WebSockets of the server. */
  private leaveStreams: (() => void) | undefined
  /** The answer that was sent; undefined: none yet. */
  protected sent: Reply | undefined
  /** idle: the body is still arriving; counted: the request counts as load; settled: it does not count any more. */
  private work: 'idle' | 'counted' | 'settled' = 'idle'

  constructor(
    host: Host,
    head: {
      readonly method: string
      readonly path: string
      readonly query: string
      readonly headers: HeaderList
    },
  ) {
    this.host = host
    this.began = performance.now()
    this.method = head.method
    this.path = head.path
    this.query = head.query
    this.headers = head.headers
    this.sentId = wellFormedId(formatHeader(head.headers, 'x-request-id'))
    this.number = this.sentId === undefined ? nextNumber() : 0
  }

  get id(): string {
    return this.sentId ?? numberedId(this.number)
  }

  abstract readonly address: string

  /** Writes the answer; `close`: whether the connection ends after it. */
  protected abstract send(reply: Reply, close: boolean): void
  protected abstract expireAfter(milliseconds: number): void
  /** Ends the connection in the middle of an answer that the client does not read. */
  protected abstract breakConnection(): void
  protected abstract pauseSocket(): void
  protected abstract resumeSocket(): void
  /** The transport calls `received` for each piece of the body and `bodyEnded` at its end. */
  protected abstract listen(incoming: BodyBuffer): void

  pause(): void {
    if (this.state !== 'done') this.pauseSocket()
  }

  resume(): void {
    if (this.state !== 'done') this.resumeSocket()
  }

  header(name: string): string | undefined {
    return formatHeader(this.headers, name)
  }

  headerNames(): readonly string[] {
    return headerNames(this.headers)
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  /** Throws ApiError; for transports that do not check the HTTP version themselves. */
  protected checkVersion(): void {}

  /** Checks the head and begins to receive the body, if there is one. Throws ApiError for a head that is refused. */
  protected readHead(): void {
    const length = bodyLength(this.headers)
    checkRequestLine(this.method, this.path)
    this.checkVersion()
    if (length !== 0) this.receive(length)
  }

  /**
   * Counts the request as load until its handler is done or late, or the client is gone. Receiving a body is no load.
   */
  protected beginWork(): void {
    if (this.work !== 'idle') return
    this.work = 'counted'
    this.host.load.begin()
  }

  protected endWork(): void {
    if (this.work === 'counted') this.host.load.end()
    this.work = 'settled'
  }

  /** The exchange is over: nothing more is read or written. */
  protected over(): void {
    this.endWork()
    this.unsent?.set(0)
    this.leaveStreams?.()
    this.incoming?.close()
    this.takeLease()?.release()
    this.host.finished()
    const { onResponse: onAnswered } = this.host.options
    onAnswered?.(this, this.sent, performance.now() - this.began)
  }

  /** Removes the lease from the exchange; for streamed bodies, which release it when the stream ends. */
  protected takeLease(): Lease | undefined {
    const { lease } = this
    this.lease = undefined
    return lease
  }

  /** Returns whether the request is handed to the handler; otherwise it is answered. */
  protected admit(): boolean {
    try {
      checkTarget(this.path, this.query, this.host.options.limits.url)
      if (!isOwnPath(this.path)) this.host.load.admit()
      return true
    } catch (error) {
      this.answerAtOnce(this.failure(error))
      return false
    }
  }

  /** Calls the handler. Most bodies arrive in the same turn as their heads: it is then called once, when all is there. */
  protected start(handler: ServedHandler): void {
    if (this.incoming?.arrivesSoon !== true) {
      this.dispatch(handler)
      return
    }
    this.waiting = handler
    this.host.awaited.add(this)
  }

  /** Whether the handler is not called yet. */
  protected get awaitsBody(): boolean {
    return this.waiting !== undefined
  }

  /** Called when the body has arrived, and at the end of the turn. */
  begin(): void {
    const { waiting } = this
    this.waiting = undefined
    if (waiting === undefined || this.state !== 'open') return
    this.dispatch(waiting)
    if (this.state === 'open') this.startClock()
  }

  protected startClock(): void {
    this.expireAfter(this.host.options.limits.requestTimeout)
  }

  /** Hands the request to the handler: now, or in a later turn of the event loop after a heavy answer. */
  private dispatch(handler: ServedHandler): void {
    const turn = isOwnPath(this.path) ? undefined : this.host.load.turnFor(this)
    if (turn === undefined) {
      this.ask(handler)
      return
    }
    if (this.incoming?.ended !== false) this.beginWork()
    turn.then(
      () => {
        if (this.state === 'open') this.ask(handler)
      },
      (refusal: unknown) => this.settle(this.failure(refusal)),
    )
  }

  /** An answer of the same turn costs no promise. */
  private ask(handler: ServedHandler): void {
    try {
      const outcome = handler(this)
      if (isPromise(outcome)) {
        if (this.incoming?.ended !== false) this.beginWork()
        outcome.then(
          (reply) => this.settle(reply),
          (error) => this.settle(this.failure(error)),
        )
      } else {
        this.answerAtOnce(outcome)
      }
    } catch (error) {
      this.answerAtOnce(this.failure(error))
    }
  }

  protected answerAtOnce(reply: Reply): void {
    this.settle(reply)
  }

  protected settle(reply: Reply): void {
    this.endWork()
    const { body } = reply
    if (typeof body === 'string' && body.length > LARGE_TEXT) this.answerLarge(reply, body)
    else this.respond(reply)
  }

  /** Encoding the text takes 20 ms and more, so others are served before and meanwhile. */
  private async encodeLater(reply: Reply, text: string): Promise<void> {
    await nextTurn()
    // A client that is gone needs no answer.
    if (this.state === 'open') this.sendOrHold({ ...reply, body: await encodeText(text) })
  }

  private answerLarge(reply: Reply, text: string): void {
    const admitted = this.admitted(reply)
    if (admitted === reply) void this.encodeLater(reply, text)
    else this.sendOrHold(admitted)
  }

  /** The reply, or a refusal in its place if too many bytes or streams are on their way to clients. */
  private admitted(reply: Reply): Reply {
    const { body, socket } = reply
    try {
      if (socket !== undefined || isEndless(body)) {
        this.leaveStreams = this.host.streams.take(this.address)
      } else if (body !== undefined && !isBodyStream(body) && body.length >= LARGE_RESPONSE_BYTES) {
        this.counted().grow(body.length)
      }
      return reply
    } catch (refusal) {
      return this.failure(refusal)
    }
  }

  holdAnswer(characters: number): void {
    if (characters >= LARGE_RESPONSE_BYTES && this.state !== 'done') this.counted().grow(characters)
  }

  /** Sets how many bytes of the answer the client has not read yet. */
  protected waits(bytes: number): void {
    if (bytes >= LARGE_RESPONSE_BYTES || this.unsent !== undefined) this.counted().set(bytes)
  }

  protected counted(): UnsentResponse {
    this.unsent ??= this.host.load.openAnswer(this, () => this.breakConnection())
    return this.unsent
  }

  protected takeStream(): (() => void) | undefined {
    const leave = this.leaveStreams
    this.leaveStreams = undefined
    return leave
  }

  protected failure(error: unknown): Reply {
    const reply = errorReply(error, (fault) => this.host.options.onFault(fault, this.id))
    return { ...reply, common: this.host.options.headers }
  }

  /** Answers the handshake of a WebSocket; here: there was none. */
  protected accept(_offer: SocketOffer): void {
    this.respond(this.failure(new ApiError('BadRequestError', 'not the handshake of a WebSocket')))
  }

  protected respond(reply: Reply): void {
    if (this.state === 'open') this.sendOrHold(this.admitted(reply))
  }

  private sendOrHold(reply: Reply): void {
    if (this.state !== 'open') return
    if (reply.socket !== undefined) {
      this.accept(reply.socket)
      return
    }
    const { incoming } = this
    if (!incoming || !(this.chunked || incoming.endless)) {
      this.send(reply, this.endsConnection(reply))
      return
    }
    this.state = 'held'
    this.heldReply = reply
    this.heldAt = incoming.received
    incoming.drop()
    // A client that waits for `100 Continue` sends nothing more until it sees the answer.
    if (incoming.ended || this.header('expect') !== undefined) this.release()
    else this.expireAfter(LINGER_TIME)
  }

  /** Whether the answer is the last of its connection; a large one has the time that its client needs. */
  protected endsConnection(reply: Reply): boolean {
    return this.host.closing || (this.isCrowded() && !isLarge(reply))
  }

  protected isCrowded(): boolean {
    return this.host.crowded
  }

  /** Sends the held answer and closes. */
  protected release(): void {
    this.sendHeld()
  }

  protected sendHeld(): void {
    if (this.state === 'held' && this.heldReply) this.send(this.heldReply, true)
  }

  /** The deadline has passed. */
  protected timeIsUp(): void {
    if (this.state === 'sending') this.breakConnection()
    else if (this.state === 'held') this.sendHeld()
    else if (this.state === 'open') {
      const late = new ApiError('ServiceUnavailableError', 'the request took too long')
      this.send(this.failure(late), true)
      this.incoming?.fail(late)
      this.controller?.abort()
    }
  }

  private receive(length: number): void {
    const { options, bodies } = this.host
    const upload = isUpload(this.header('content-type'))
    const incoming = new BodyBuffer(length, options.limits, bodies, upload, this)
    this.incoming = incoming
    this.body = incoming
    this.chunked = length === CHUNKED
    if (upload) {
      const started = performance.now()
      this.prolong = () => {
        if (this.state === 'open') this.deadline = uploadDeadline(started, incoming, options.limits)
      }
    }
    this.listen(incoming)
  }

  /** Takes a piece of the body; the transport must not reuse its memory. */
  protected received(incoming: BodyBuffer, chunk: Uint8Array): void {
    incoming.push(chunk)
    if (incoming.inCrumbs) {
      // The refusal does not wait for the rest of the body.
      if (this.state === 'open') this.send(this.failure(chunksTooSmall()), true)
      else this.sendHeld()
      return
    }
    this.prolong?.()
    if (incoming.received - this.heldAt > LINGER_BYTES) this.release()
  }

  protected bodyEnded(incoming: BodyBuffer): void {
    incoming.end()
    this.beginWork()
    this.prolong?.()
    this.release()
  }
}

function isLarge({ body = '' }: Reply): boolean {
  return isBodyStream(body) || body.length >= LARGE_RESPONSE_BYTES
}

function isEndless(body: Reply['body']): boolean {
  return body !== undefined && isBodyStream(body) && body.length === undefined
}
