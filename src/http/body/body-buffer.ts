// Buffers the body of a request, within a limit for the body and one for all requests. Uploads are not
// collected: the transport pauses the socket until the handler reads.

import { ByteList } from '../../lib/byte-list.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { InvariantError } from '../../lib/errors/invariant.ts'
import type { IncomingBody } from '../request.ts'
import type { ServerLimits } from '../server.ts'
import { type BodyBudget, BodyShare } from './body-budget.ts'

export const NO_BODY: IncomingBody = {
  present: false,
  memoryLimit: 0,
  tryHold: () => true,
  hold() {},
  arrived: () => undefined,
  bytes: async () => new Uint8Array(),
  async *chunks() {},
}

export interface Flow {
  pause(): void
  resume(): void
}

const NO_FLOW: Flow = { pause() {}, resume() {} }

/** Unread bytes of an upload at which the transport stops reading and below which it resumes. */
const MAX_UNREAD_BYTES = 256 * 1024
const RESUME_BYTES = 64 * 1024
/** Bytes before a reader of pieces is woken, so that single bytes do not cost a wake-up each. */
const MIN_PIECE_BYTES = 4 * 1024
/** A body may have this many chunks of any size; with more chunks, their average size must be MIN_CHUNK_BYTES bytes. */
const MAX_SMALL_CHUNKS = 1000
const MIN_CHUNK_BYTES = 64
/** Bytes that one read from a socket returns on any network. */
const READ_BYTES = 16 * 1024

export class BodyBuffer implements IncomingBody {
  readonly present = true
  /** Whether the limit for uploads applies. A body beyond the normal limit can then be read by `chunks` only. */
  readonly upload: boolean
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
  private reader: Reader | undefined
  private wake: (() => void) | undefined

  /** `announced`: the length from the request's head; negative if unknown. */
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
    if (announced > this.limit) this.fail(createPayloadTooLarge())
  }

  get tooLarge(): boolean {
    return this.announced > this.limit || this.received > this.limit
  }

  /** Each chunk costs as much work as one of kilobytes, so a body of small chunks is refused. */
  get inCrumbs(): boolean {
    return this.chunkCount > MAX_SMALL_CHUNKS && this.received < this.chunkCount * MIN_CHUNK_BYTES
  }

  get arrivesSoon(): boolean {
    return this.announced > 0 && this.announced <= READ_BYTES && !this.upload && this.failure === undefined
  }

  /** True while the rest of the body may take longer than a response should wait for it. */
  get endless(): boolean {
    return (this.upload || this.tooLarge) && !this.ended
  }

  /** Keeps a chunk without copying it: the caller must not change it. Drops everything once a limit is exceeded. */
  push(chunk: Uint8Array): void {
    this.received += chunk.length
    this.chunkCount += 1
    // Only the first failure creates an error: one for each later chunk would cost more than all other work.
    if (this.failure === undefined) {
      if (this.inCrumbs) this.fail(createChunksTooSmall())
      else if (this.tooLarge) this.fail(createPayloadTooLarge())
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
    else if (this.upload && this.waiting.length >= MAX_UNREAD_BYTES) this.pause()
    if (this.waiting.length >= MIN_PIECE_BYTES) this.wake?.()
  }

  hold(bytes: number): void {
    if (bytes > 0) this.share.take(bytes)
    else this.share.release(-bytes)
  }

  tryHold(bytes: number): boolean {
    return this.share.tryTake(bytes)
  }

  /** Called when the request is over; releases all bytes that its readers hold. */
  close(): void {
    this.drop()
    this.share.close()
  }

  end(): void {
    this.ended = true
    if (this.failure === undefined) this.reader?.resolve(this.waiting.joined())
    this.wake?.()
  }

  /** Rejects the current read and every later one. */
  fail(failure: ApiError): void {
    if (this.ended || this.failure !== undefined) return
    this.failure = failure
    this.empty()
    this.refuseReader(failure)
    this.wake?.()
  }

  /** Also discards the bytes that still arrive. */
  drop(): void {
    this.mode = 'dropped'
    this.empty()
  }

  arrived(): Uint8Array | undefined {
    if (!this.ended) return undefined
    this.mode = 'whole'
    this.checkWhole()
    return this.failure === undefined ? this.waiting.joined() : undefined
  }

  bytes(): Promise<Uint8Array> {
    this.mode = 'whole'
    this.checkWhole()
    if (this.failure !== undefined) {
      this.reader = new Reader()
      this.refuseReader(this.failure)
      return this.reader.promise
    }
    if (this.ended) return Promise.resolve(this.waiting.joined())
    this.resume()
    this.reader = new Reader()
    return this.reader.promise
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    if (this.mode !== 'unread') throw new InvariantError('a body is read once')
    this.mode = 'pieces'
    try {
      for (;;) {
        if (this.failure !== undefined) throw this.failure
        const next = this.ended || this.waiting.length >= MIN_PIECE_BYTES ? this.waiting.take() : undefined
        if (next !== undefined) {
          this.share.release(next.length)
          if (this.waiting.length < RESUME_BYTES) this.resume()
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

  /** Also checks earlier bytes, for which the higher limit for uploads applied. */
  private checkWhole(): void {
    if (
      this.failure !== undefined ||
      (this.announced <= this.memoryLimit && this.waiting.length <= this.memoryLimit)
    )
      return
    this.failure = createPayloadTooLarge()
    this.empty()
    this.refuseReader(this.failure)
  }

  private refuseReader(failure: ApiError): void {
    // Without this, a handler that does not await the body would cause an unhandled rejection, which ends the process.
    this.reader?.promise.catch(() => {})
    this.reader?.reject(failure)
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

class Reader {
  resolve: (bytes: Uint8Array) => void = () => {}
  reject: (error: ApiError) => void = () => {}
  readonly promise = new Promise<Uint8Array>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })
}

export function createPayloadTooLarge(): ApiError {
  return new ApiError('PayloadTooLargeError', 'request entity too large')
}

export function createChunksTooSmall(): ApiError {
  return new ApiError('BadRequestError', 'the body comes in chunks that are too small')
}

export function requestAborted(): ApiError {
  return new ApiError('BadRequestError', 'the request was aborted')
}
