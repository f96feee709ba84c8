// One request and its response as a state machine, independent of the transport. Subclasses, one per
// transport, read and write the bytes.

import { performance } from 'node:perf_hooks'
import { encodeText, MIN_LARGE_CHARACTERS } from '../lib/encode-text.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { waitForTurn } from '../lib/next-turn.ts'
import { BodyBuffer, createChunksTooSmall, type Flow, NO_BODY } from './body/body-buffer.ts'
import { isUpload } from './body/content-type.ts'
import { buildErrorReply } from './error-reply.ts'
import type { ExchangeHost } from './exchange-host.ts'
import { isOwnPath } from './gateway.ts'
import { isBodyStream, isPromise, type Reply } from './reply.ts'
import type { IncomingBody, IncomingRequest, Lease, MatchedRoute, RequestCaller } from './request.ts'
import {
  buildNumberedId,
  CHUNKED,
  checkRequestLine,
  checkTarget,
  formatHeader,
  getBodyBytes,
  type HeaderList,
  listHeaderNames,
  nextNumber,
  parseRequestId,
} from './request-head.ts'
import type { ServedHandler } from './server.ts'
import type { SocketOffer } from './socket.ts'
import { LINGER_BYTES, LINGER_MS, uploadDeadline } from './timeouts.ts'
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
  /** Without it, the id is made of `number` on first read. */
  protected readonly sentId: string | undefined
  protected readonly number: number
  /** held: the response waits for the end of the body; done: the response must not be touched. */
  protected state: 'open' | 'held' | 'sending' | 'done' = 'open'
  protected incoming: BodyBuffer | undefined
  private waiting: ServedHandler | undefined
  protected controller: AbortController | undefined
  protected heldReply: Reply | undefined
  protected chunked = false
  private prolong: (() => void) | undefined
  /** Bytes of the body that had arrived when the response began to wait for the rest. */
  private heldAt = 0
  /** On the clock of `performance.now()`; read once and shared with the load. */
  private readonly began: number
  /** Counts the bytes that the client has not read yet; undefined: the response was never large. */
  private unsent: UnsentResponse | undefined
  private leaveStreams: (() => void) | undefined
  protected sent: Reply | undefined
  /** idle: the body is still arriving; settled: the request no longer counts as load. */
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
    this.sentId = parseRequestId(formatHeader(head.headers, 'x-request-id'))
    this.number = this.sentId === undefined ? nextNumber() : 0
  }

  get id(): string {
    return this.sentId ?? buildNumberedId(this.number)
  }

  abstract readonly address: string

  /** `close`: whether the connection ends after the response. */
  protected abstract send(reply: Reply, close: boolean): void
  protected abstract expireAfter(milliseconds: number): void
  /** Ends the connection in the middle of a response that the client does not read. */
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
    return listHeaderNames(this.headers)
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  /** Throws ApiError; for transports that do not check the HTTP version themselves. */
  protected checkVersion(): void {}

  /** Throws ApiError for a head that is refused. */
  protected readHead(): void {
    const length = getBodyBytes(this.headers)
    checkRequestLine(this.method, this.path)
    this.checkVersion()
    if (length !== 0) this.receive(length)
  }

  /** Counts the request as load until its handler is done or late, or the client is gone. */
  protected beginWork(): void {
    if (this.work !== 'idle') return
    this.work = 'counted'
    this.host.load.begin()
  }

  protected endWork(): void {
    if (this.work === 'counted') this.host.load.end()
    this.work = 'settled'
  }

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

  /** For streamed bodies, which release the lease when the stream ends. */
  protected takeLease(): Lease | undefined {
    const { lease } = this
    this.lease = undefined
    return lease
  }

  /** Returns whether the request goes to the handler; otherwise it gets a response here. */
  protected admit(): boolean {
    try {
      checkTarget(this.path, this.query, this.host.options.limits.url)
      if (!isOwnPath(this.path)) this.host.load.admit()
      return true
    } catch (error) {
      this.respondAtOnce(this.failure(error))
      return false
    }
  }

  /**
   * Most bodies arrive in the same turn as their heads, so the handler is called once, when the body is
   * complete.
   */
  protected start(handler: ServedHandler): void {
    if (this.incoming?.arrivesSoon !== true) {
      this.dispatch(handler)
      return
    }
    this.waiting = handler
    this.host.awaited.add(this)
  }

  protected get awaitsBody(): boolean {
    return this.waiting !== undefined
  }

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

  /** Calls the handler now, or in a later turn of the event loop after a heavy response. */
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

  /** A synchronous response costs no promise. */
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
        this.respondAtOnce(outcome)
      }
    } catch (error) {
      this.respondAtOnce(this.failure(error))
    }
  }

  protected respondAtOnce(reply: Reply): void {
    this.settle(reply)
  }

  protected settle(reply: Reply): void {
    this.endWork()
    const { body } = reply
    if (typeof body === 'string' && body.length > MIN_LARGE_CHARACTERS) this.respondLarge(reply, body)
    else this.respond(reply)
  }

  /** Encoding the text takes at least 20 ms, so other requests run before and meanwhile. */
  private async encodeLater(reply: Reply, text: string): Promise<void> {
    await waitForTurn()
    if (this.state === 'open') this.sendOrHold({ ...reply, body: await encodeText(text) })
  }

  private respondLarge(reply: Reply, text: string): void {
    const admitted = this.admitted(reply)
    if (admitted === reply) void this.encodeLater(reply, text)
    else this.sendOrHold(admitted)
  }

  /** Replaces the reply with a refusal if too many bytes or streams are on their way to clients. */
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

  holdResponse(characters: number): void {
    if (characters >= LARGE_RESPONSE_BYTES && this.state !== 'done') this.counted().grow(characters)
  }

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
    const reply = buildErrorReply(error, (fault) => this.host.options.onFault(fault, this.id))
    return { ...reply, common: this.host.options.headers }
  }

  /** Refuses by default: the request was not a WebSocket handshake. */
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
    // A client that waits for `100 Continue` sends nothing more until it sees the response.
    if (incoming.ended || this.header('expect') !== undefined) this.release()
    else this.expireAfter(LINGER_MS)
  }

  /** A large response gets the time that its client needs. */
  protected endsConnection(reply: Reply): boolean {
    return this.host.closing || (this.isCrowded() && !isLarge(reply))
  }

  protected isCrowded(): boolean {
    return this.host.crowded
  }

  protected release(): void {
    this.sendHeld()
  }

  protected sendHeld(): void {
    if (this.state === 'held' && this.heldReply) this.send(this.heldReply, true)
  }

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

  /** The transport must not reuse the memory of `chunk`. */
  protected received(incoming: BodyBuffer, chunk: Uint8Array): void {
    incoming.push(chunk)
    if (incoming.inCrumbs) {
      // The refusal does not wait for the rest of the body.
      if (this.state === 'open') this.send(this.failure(createChunksTooSmall()), true)
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
