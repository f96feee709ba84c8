// The bytes of a body as a transport hands them over -> the whole of it, for whoever asks, within a limit.

import { ApiError } from '../errors/api-error.ts'
import type { IncomingBody } from './read-body.ts'

/** The body of a request that announced none. */
export const NO_BODY: IncomingBody = { present: false, bytes: async () => new Uint8Array() }

export class BodyBuffer implements IncomingBody {
  readonly present = true
  /** True once the last byte is here. */
  ended = false
  received = 0

  private readonly limit: number
  private readonly announced: number
  private chunks: Uint8Array[] = []
  private failure: ApiError | undefined
  private reader: { resolve(bytes: Uint8Array): void; reject(error: ApiError): void } | undefined

  /** `announced`: the length by the head of the request; negative when it is not known. */
  constructor(announced: number, limit: number) {
    this.announced = announced
    this.limit = limit
    if (announced > limit) this.fail(payloadTooLarge())
  }

  /** True when the body is longer than it may be, by announcement or by count. */
  get tooLarge(): boolean {
    return this.announced > this.limit || this.received > this.limit
  }

  /** Keeps a chunk, which must not change any more; beyond the limit everything is dropped. */
  push(chunk: Uint8Array): void {
    this.received += chunk.length
    if (this.tooLarge) this.fail(payloadTooLarge())
    else if (chunk.length > 0) this.chunks.push(chunk)
  }

  end(): void {
    this.ended = true
    if (this.failure === undefined) this.reader?.resolve(this.joined())
  }

  /** No more will come: whoever waits, or asks later, is told why. */
  fail(failure: ApiError): void {
    if (this.ended || this.failure !== undefined) return
    this.failure = failure
    this.chunks = []
    this.reader?.reject(failure)
  }

  bytes(): Promise<Uint8Array> {
    const whole = this.whole()
    // A handler that has answered without waiting for the body must not bring the process down when it never comes.
    whole.catch(() => {})
    return whole
  }

  private whole(): Promise<Uint8Array> {
    if (this.failure !== undefined) return Promise.reject(this.failure)
    if (this.ended) return Promise.resolve(this.joined())
    return new Promise((resolve, reject) => {
      this.reader = { resolve, reject }
    })
  }

  private joined(): Uint8Array {
    const [only] = this.chunks
    return this.chunks.length === 1 && only ? only : Buffer.concat(this.chunks)
  }
}

/** What a body over the limit is refused with. */
export function payloadTooLarge(): ApiError {
  return new ApiError('PayloadTooLargeError', 'request entity too large')
}

/** What a reader is told whose client went away. */
export function requestAborted(): ApiError {
  return new ApiError('BadRequestError', 'the request was aborted')
}
