// Declares the request that handlers receive, copied from the socket's memory and within all limits.

export interface MatchedRoute {
  readonly method: string
  /** `/api/articles/:id`. */
  readonly path: string
  /** `rest`, or the name of a plugin. */
  readonly face?: string | undefined
}

/** A user of a role, or an API token. */
export interface RequestCaller {
  readonly kind: string
  readonly name: string
  readonly id?: number
}

export interface HttpRequest {
  /** Upper case. The transport drops the body of a reply to `HEAD`. */
  readonly method: string
  /** Still percent-encoded, without the query. */
  readonly path: string
  /** Raw, without `?`. */
  readonly query: string
  /** Takes a lower-case name. Repeated headers are joined by `, `. */
  header(name: string): string | undefined
  headerNames(): readonly string[]
  /** The peer, or the client that a trusted proxy names. */
  readonly address: string
  /** A well-formed `x-request-id`, or one that the server made. */
  readonly id: string
  readonly body: IncomingBody
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal
  /**
   * `characters`: the total of a response so far. Throws ServiceUnavailableError without room for another
   * large response.
   */
  holdResponse(characters: number): void
  route?: MatchedRoute | undefined
  caller?: RequestCaller | undefined
}

export interface IncomingRequest extends HttpRequest {
  /** Released once by the transport, when the response was sent or the client is gone. */
  lease: Lease | undefined
}

export interface Lease {
  release(): void
}

export interface IncomingBody {
  readonly present: boolean
  /** Bytes, as a whole or as parts. */
  readonly memoryLimit: number
  /** Undefined before the body has arrived. */
  arrived(): Uint8Array | undefined
  /**
   * Call it once. Rejects with PayloadTooLargeError 413 beyond the limit (by Content-Length or by count),
   * BadRequestError 400 when the client disconnected.
   */
  bytes(): Promise<Uint8Array>
  /**
   * For bodies that are too large for memory; call it once, instead of `bytes`. Slows the sender to the
   * reader's pace. Fails like `bytes`; a multipart body may be as long as an upload. A reader that stops
   * early drops the rest.
   */
  chunks(): AsyncIterable<Uint8Array>
  /**
   * Counts bytes that a reader of `chunks` keeps (negative: releases) against the limit of all requests
   * together. Throws ServiceUnavailableError without room.
   */
  hold(bytes: number): void
  /** For bytes that could be kept elsewhere: returns false without room. */
  tryHold(bytes: number): boolean
}
