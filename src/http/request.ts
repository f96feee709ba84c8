// The request that every transport passes to a handler: copied from the socket's memory and within all limits.

/** The route that answers a request, by names that the program gave it. */
export interface MatchedRoute {
  readonly method: string
  /** Its pattern: `/api/articles/:id`. */
  readonly path: string
  /** Which API it belongs to: `rest`, or the name of a plugin. */
  readonly face?: string | undefined
}

/** Who asks: a user of a role, or an API token. */
export interface RequestCaller {
  readonly kind: string
  readonly name: string
  readonly id?: number
}

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
  /** The request id: a well-formed `x-request-id`, or one that the server made. */
  readonly id: string
  /** The body, read on demand and at most once. */
  readonly body: IncomingBody
  /** Aborts when the client disconnects or the deadline passes: work for the request may then stop. */
  readonly signal: AbortSignal
  /**
   * Counts the memory of an answer in the making: `characters` in all until now, of rows and texts. Throws
   * ServiceUnavailableError when there is no room for another large answer.
   */
  holdAnswer(characters: number): void
  /** Set by the router; undefined before, and where no route matches. */
  route?: MatchedRoute | undefined
  /** Set for the log, once it is known who asks. */
  caller?: RequestCaller | undefined
}

/** A request on its way to the application, which may set a lease that is held until the answer is sent. */
export interface IncomingRequest extends HttpRequest {
  /** Released once by the transport, when the answer was sent or the client is gone. */
  lease: Lease | undefined
}

export interface Lease {
  release(): void
}

/** Read on demand, within a limit. */
export interface IncomingBody {
  /** False when the request announced no body. */
  readonly present: boolean
  /** The most bytes of the body that may be in memory, as a whole or as parts. */
  readonly memoryLimit: number
  /** The whole body where it is here already: like `bytes`, at once. Undefined: ask `bytes`. */
  arrived(): Uint8Array | undefined
  /**
   * The whole body; call it once. Rejects with ApiError: PayloadTooLargeError 413 beyond the limit (by Content-Length
   * or by count), BadRequestError 400 when the client disconnected.
   */
  bytes(): Promise<Uint8Array>
  /**
   * The body as it arrives, for bodies that are too large for memory; call it instead of `bytes`, once. The sender is
   * slowed down to the reader's pace. Fails like `bytes`; a multipart body may be as long as an upload. A reader that
   * stops early drops the rest.
   */
  chunks(): AsyncIterable<Uint8Array>
  /**
   * Counts bytes that a reader of `chunks` keeps in memory (negative: no longer keeps) against the limit of all
   * requests together, until the request is over. Throws ServiceUnavailableError when the limit leaves no room.
   */
  hold(bytes: number): void
  /** The same, for bytes that could be kept elsewhere: returns false when there is no room. */
  tryHold(bytes: number): boolean
}
