// The body of a request, read on demand within a limit.

export interface IncomingBody {
  /** False when the request announced no body. */
  readonly present: boolean
  /**
   * The whole body; call it once. Rejects with ApiError: PayloadTooLargeError 413 beyond the limit (by Content-Length
   * or by count), BadRequestError 400 when the client went away.
   */
  bytes(): Promise<Uint8Array>
}
