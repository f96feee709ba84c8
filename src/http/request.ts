// A request as every transport hands it on: copied out of the socket's memory, limits already kept.

import type { IncomingBody } from './read-body.ts'

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
  /** The body, read on demand and at most once; see `read-body.ts`. */
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
