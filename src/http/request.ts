// A request as every transport hands it on: copied out of the socket's memory, limits already kept.

export interface HttpRequest {
  /** Upper case, e.g. `GET`. A HEAD request arrives as `HEAD`; the transport drops the body of its reply. */
  readonly method: string
  /** The path as it was sent, still percent-encoded, without the query. */
  readonly path: string
  /** The raw query string without `?`, `''` when there is none. */
  readonly query: string
  /** The value of a header by its lower-case name; undefined when it was not sent. Repeated ones are joined by `, `. */
  header(name: string): string | undefined
  /** The lower-case names of the headers that were sent, each once. */
  headerNames(): readonly string[]
  /** The address of the peer, or of the client a trusted proxy vouches for. */
  readonly address: string
  /** The request id, taken from a well-formed `x-request-id` or made here. */
  readonly id: string
  /** The body, read on demand and at most once. */
  readonly body: IncomingBody
  /** Aborts when the client went away or the deadline passed: what is still running may stop. */
  readonly signal: AbortSignal
}

/** A request before its application has it: what answers it may say what its answer needs until it is sent. */
export interface IncomingRequest extends HttpRequest {
  /** Released once by the transport: when the answer is sent, or its client has gone. */
  lease: Lease | undefined
}

export interface Lease {
  release(): void
}

/** Read on demand, within a limit. */
export interface IncomingBody {
  /** False when the request announced no body. */
  readonly present: boolean
  /** The most bytes of it that may be in memory: as a whole, or as those of its parts that are. */
  readonly memoryLimit: number
  /**
   * The whole body; call it once. Rejects with ApiError: PayloadTooLargeError 413 beyond the limit (by Content-Length
   * or by count), BadRequestError 400 when the client went away.
   */
  bytes(): Promise<Uint8Array>
  /**
   * The body as it arrives, for what is too large to be held; call it instead, once. The sender is slowed down to the
   * reader's pace. Fails like `bytes`; a multipart body may be as long as an upload. Who leaves early drops the rest.
   */
  chunks(): AsyncIterable<Uint8Array>
  /**
   * Counts bytes that a reader of `chunks` keeps in memory, or with a negative number no longer keeps, against what all
   * requests together may; until the request is over. Throws ServiceUnavailableError where there is no room.
   */
  hold(bytes: number): void
  /** The same for what could be kept elsewhere: false where there is no room. */
  tryHold(bytes: number): boolean
}
