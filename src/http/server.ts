// The interface of the transports (uWebSockets.js, node:http); one contract test covers both.

import type { HeaderSet } from './header-set.ts'
import type { Reply } from './reply.ts'
import type { HttpRequest, IncomingRequest } from './request.ts'

export type ServedHandler = (request: IncomingRequest) => Reply | Promise<Reply>

/** `milliseconds`: from the head of the request until the answer was out. */
export type OnResponse = (request: HttpRequest, reply: Reply | undefined, milliseconds: number) => void

export interface ServerOptions {
  /** Answers requests; read once per request, so that the application may swap it at any time. */
  readonly handler: ServedHandler
  readonly limits: ServerLimits
  /** Called with internal errors (a handler that threw, a socket error), never with errors of clients. */
  readonly onFault: (fault: unknown, requestId: string | undefined) => void
  /** Called with messages for the operator: too many connections, too many requests. */
  readonly onWarning?: ((message: string) => void) | undefined
  /**
   * Called once per request, when its answer is out or the client is gone: `reply` is undefined when it left before an
   * answer.
   */
  readonly onResponse?: OnResponse | undefined
  /** Headers of the answers by which the transport itself refuses a request before the handler sees it. */
  readonly headers?: HeaderSet | undefined
  /**
   * Whose `x-forwarded-for` is trusted: nobody's, the last N proxies', or those from these addresses and CIDR ranges.
   */
  readonly trustProxy?: false | number | readonly string[] | undefined
}

export interface ServerLimits {
  /** Largest body in bytes; beyond it 413. */
  readonly body: number
  /** The same limit for multipart bodies, which are read piece by piece. */
  readonly upload: number
  /** Bytes of bodies in memory, of all requests together; beyond it 503. */
  readonly bodies: number
  /** Longest request target in bytes; beyond it 414. */
  readonly url: number
  /** Milliseconds until an unanswered request is answered 503. */
  readonly requestTimeout: number
  /** Milliseconds a kept-alive connection may idle; uWebSockets.js keeps its own 10 seconds. */
  readonly keepAlive: number
  /** Connections open at the same time; undefined: as many as the limit of open files allows. */
  readonly connections?: number | undefined
  /** Bytes of answers that wait for clients to read them; while there are more, requests are a 503. Undefined: no limit. */
  readonly unsent?: number
  /** Streams and WebSockets open at the same time; by default half of the connections. One more is a 503. */
  readonly streams?: number | undefined
  /** The same for one address; by default half of `streams`. */
  readonly streamsPerAddress?: number | undefined
  /** Requests that may run at the same time; one more is a 503. */
  readonly requests?: number
  /** Milliseconds that requests may wait, time after time, before further ones are a 503; 0: no limit. */
  readonly wait?: number
  /**
   * Milliseconds that the event loop may be late, several times in a row, before new requests are a 503; 0: no limit.
   */
  readonly eventLoopDelay?: number
}

export interface HttpServer {
  readonly name: 'uws' | 'node'
  /**
   * Resolves with the port that was bound (0 picks a free one). Rejects with code `EADDRINUSE` on a busy port.
   * `shared`: other processes, workers of the same server, listen on the port as well.
   */
  listen(port: number, host: string, shared?: boolean): Promise<{ readonly port: number }>
  /** Stops accepting, lets running requests finish for at most `drain` milliseconds, then closes. */
  close(drain: number): Promise<void>
}
