// The bytes of a body as a transport hands them over -> the whole of it, or piece by piece, for whoever asks, within a
// limit of its own and one that all requests share. Uploads are not collected: the sender waits while nobody takes what
// has arrived.

import { ApiError } from '../errors/api-error.ts'
import { InvariantError } from '../errors/invariant.ts'
import { ByteList } from '../util/byte-list.ts'
import { type BodyBudget, BodyShare } from './body-budget.ts'
import type { IncomingBody } from './request.ts'
import type { ServerLimits } from './server.ts'

/** The body of a request that announced none. */
export const NO_BODY: IncomingBody = {
  present: false,
  memoryLimit: 0,
  tryHold: () => true,
  hold() {},
  bytes: async () => new Uint8Array(),
  async *chunks() {},
}

/** How the transport stops and goes on reading from its socket. */
export interface Flow {
  pause(): void
  resume(): void
}

const NO_FLOW: Flow = { pause() {}, resume() {} }

/** Bytes of an upload that wait for their reader before the sender has to wait. */
const HIGH_WATER = 256 * 1024
const LOW_WATER = 64 * 1024
/** The least that a reader of pieces is woken for, so that a sender of single bytes costs no work for each. */
const LEAST_PIECE = 4 * 1024
/** Chunks that a body may have whatever their size; of more, each must on average have the least size. */
const MANY_CHUNKS = 1000
const LEAST_CHUNK = 64

export class BodyBuffer implements IncomingBody {
  readonly present = true
  /** Whether it may be as long as an upload: then only `chunks` reads all of it. */
  readonly upload: boolean
  /** True once the last byte is here. */
  ended = false
  received = 0
  readonly memoryLimit: number

  private readonly limit: number
  private readonly share: BodyShare
  private readonly announced: number
  private readonly flow: Flow
  private readonly waiting = new ByteList()
  private chunkCount = 0
  private paused = false
  private mode: 'unread' | 'whole' | 'pieces' | 'dropped' = 'unread'
  private failure: ApiError | undefined
  private reader: { resolve(bytes: Uint8Array): void; reject(error: ApiError): void } | undefined
  private wake: (() => void) | undefined

  /** `announced`: the length by the head of the request; negative when it is not known. */
  constructor(
    announced: number,
    limits: Pick<ServerLimits, 'body' | 'upload'>,
    budget: BodyBudget,
    upload = false,
    flow = NO_FLOW,
  ) {
    this.announced = announced
    this.upload = upload
    this.memoryLimit = limits.body
    this.share = new BodyShare(budget)
    this.limit = upload ? limits.upload : limits.body
    this.flow = flow
    if (announced > this.limit) this.fail(payloadTooLarge())
  }

  /** True when the body is longer than it may be, by announcement or by count. */
  get tooLarge(): boolean {
    return this.announced > this.limit || this.received > this.limit
  }

  /** True when a body comes in crumbs: each costs the same work as a chunk of kilobytes. The rest is not waited for. */
  get inCrumbs(): boolean {
    return this.chunkCount > MANY_CHUNKS && this.received < this.chunkCount * LEAST_CHUNK
  }

  /** True while a body may go on for longer than a connection should be kept waiting after its answer. */
  get endless(): boolean {
    return (this.upload || this.tooLarge) && !this.ended
  }

  /** Keeps a chunk, which must not change any more; beyond the limit everything is dropped. */
  push(chunk: Uint8Array): void {
    this.received += chunk.length
    this.chunkCount += 1
    // An error object for each chunk behind a refusal would cost more than all else.
    if (this.failure === undefined) {
      if (this.inCrumbs) this.fail(chunksTooSmall())
      else if (this.tooLarge) this.fail(payloadTooLarge())
    }
    if (this.failure !== undefined || this.mode === 'dropped' || chunk.length === 0) return
    try {
      this.share.take(chunk.length)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.fail(error)
      return
    }
    this.waiting.add(chunk)
    if (this.mode === 'whole') this.checkWhole()
    else if (this.upload && this.waiting.length >= HIGH_WATER) this.pause()
    if (this.waiting.length >= LEAST_PIECE) this.wake?.()
  }

  hold(bytes: number): void {
    if (bytes > 0) this.share.take(bytes)
    else this.share.release(-bytes)
  }

  tryHold(bytes: number): boolean {
    return this.share.tryTake(bytes)
  }

  /** The request is over: what its readers hold is not counted any more. */
  close(): void {
    this.drop()
    this.share.close()
  }

  end(): void {
    this.ended = true
    if (this.failure === undefined) this.reader?.resolve(this.waiting.joined())
    this.wake?.()
  }

  /** No more will come: whoever waits, or asks later, is told why. */
  fail(failure: ApiError): void {
    if (this.ended || this.failure !== undefined) return
    this.failure = failure
    this.empty()
    this.reader?.reject(failure)
    this.wake?.()
  }

  /** Nobody will read it: what is here and what still comes is forgotten. */
  drop(): void {
    this.mode = 'dropped'
    this.empty()
  }

  bytes(): Promise<Uint8Array> {
    const whole = this.whole()
    // A handler that has answered without waiting for the body must not bring the process down when it never comes.
    whole.catch(() => {})
    return whole
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    if (this.mode !== 'unread') throw new InvariantError('a body is read once')
    this.mode = 'pieces'
    try {
      for (;;) {
        if (this.failure !== undefined) throw this.failure
        const next = this.ended || this.waiting.length >= LEAST_PIECE ? this.waiting.take() : undefined
        if (next !== undefined) {
          this.share.release(next.length)
          if (this.waiting.length < LOW_WATER) this.resume()
          yield next
        } else if (this.ended) {
          return
        } else {
          await new Promise<void>((resolve) => {
            this.wake = resolve
          })
        }
      }
    } finally {
      this.drop()
    }
  }

  private whole(): Promise<Uint8Array> {
    this.mode = 'whole'
    this.checkWhole()
    if (this.failure !== undefined) return Promise.reject(this.failure)
    if (this.ended) return Promise.resolve(this.waiting.joined())
    this.resume()
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject }
    })
  }

  /** Also of a body that is here already: as an upload it was not too long, as a whole it is. */
  private checkWhole(): void {
    if (
      this.failure !== undefined ||
      (this.announced <= this.memoryLimit && this.waiting.length <= this.memoryLimit)
    )
      return
    this.failure = payloadTooLarge()
    this.empty()
    this.reader?.reject(this.failure)
  }

  private empty(): void {
    this.share.release(this.waiting.length)
    this.waiting.clear()
    this.resume()
  }

  private pause(): void {
    if (this.paused || this.ended) return
    this.paused = true
    this.flow.pause()
  }

  private resume(): void {
    if (!this.paused) return
    this.paused = false
    this.flow.resume()
  }
}

/** What a body over the limit is refused with. */
export function payloadTooLarge(): ApiError {
  return new ApiError('PayloadTooLargeError', 'request entity too large')
}

export function chunksTooSmall(): ApiError {
  return new ApiError('BadRequestError', 'the body comes in chunks that are too small')
}

/** What a reader is told whose client went away. */
export function requestAborted(): ApiError {
  return new ApiError('BadRequestError', 'the request was aborted')
}
