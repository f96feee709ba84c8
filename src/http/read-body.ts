// The body of a request, read on demand within a limit.

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
