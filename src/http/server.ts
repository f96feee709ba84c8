// Declares the interface of the transports (uWebSockets.js, node:http).

import type { HeaderSet } from './header-set.ts'
import type { Reply } from './reply.ts'
import type { HttpRequest, IncomingRequest } from './request.ts'

export type ServedHandler = (request: IncomingRequest) => Reply | Promise<Reply>

/** `milliseconds`: from the request's head until the response was sent. */
export type OnResponse = (request: HttpRequest, reply: Reply | undefined, milliseconds: number) => void

export interface ServerOptions {
  /** Read once per request, so that the application may swap it. */
  readonly handler: ServedHandler
  readonly limits: ServerLimits
  /** Never called with errors of clients. */
  readonly onFault: (fault: unknown, requestId: string | undefined) => void
  /** For the operator: too many connections or requests. */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Called once per request; `reply` is undefined when the client left before a response. */
  readonly onResponse?: OnResponse | undefined
  /** For responses by which the transport itself refuses a request. */
  readonly headers?: HeaderSet | undefined
  /** The proxies whose `x-forwarded-for` is trusted: the last N, or these addresses and CIDR ranges. */
  readonly trustProxy?: false | number | readonly string[] | undefined
}

export interface ServerLimits {
  /** Bytes; beyond it 413. */
  readonly body: number
  /** Bytes of a multipart body, which is read piece by piece. */
  readonly upload: number
  /** Bytes in memory, of all requests together; beyond it 503. */
  readonly bodies: number
  /** Bytes; beyond it 414. */
  readonly url: number
  /** Milliseconds; beyond it 503. */
  readonly requestTimeout: number
  /** Milliseconds a kept-alive connection may idle; uWebSockets.js keeps its own 10 seconds. */
  readonly keepAlive: number
  /** Undefined: as many as the limit of open files allows. */
  readonly connections?: number | undefined
  /** Bytes of unread responses; beyond it 503. Undefined: no limit. */
  readonly unsent?: number
  /** Streams and WebSockets; by default half of the connections. Beyond it 503. */
  readonly streams?: number | undefined
  /** The same for one address; by default half of `streams`. */
  readonly streamsPerAddress?: number | undefined
  /** Concurrent requests; beyond it 503. */
  readonly requests?: number
  /** Milliseconds that requests may repeatedly wait; beyond it 503. 0: no limit. */
  readonly wait?: number
  /** Milliseconds that the event loop may be late several times in a row; beyond it 503. 0: no limit. */
  readonly eventLoopDelay?: number
}

export interface HttpServer {
  readonly name: 'uws' | 'node'
  /**
   * 0 picks a free port. Rejects with code `EADDRINUSE` on a busy one. `shared`: other workers listen on it
   * as well.
   */
  listen(port: number, host: string, shared?: boolean): Promise<{ readonly port: number }>
  /** Running requests may finish for at most `drain` milliseconds. */
  close(drain: number): Promise<void>
}
