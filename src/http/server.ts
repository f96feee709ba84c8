// One interface over the transports (uWebSockets.js, node:http), so that one contract test covers them.

import type { HeaderSet } from './header-set.ts'
import type { Reply } from './reply.ts'
import type { IncomingRequest } from './request.ts'

export type ServedHandler = (request: IncomingRequest) => Reply | Promise<Reply>

export interface ServerOptions {
  /** What answers; read once per request, so that the application may swap it at any time. */
  readonly handler: ServedHandler
  readonly limits: ServerLimits
  /** Called with what went wrong on our side (a handler that threw, a socket error); never with client faults. */
  readonly onFault: (fault: unknown, requestId: string | undefined) => void
  /** What an operator should know: too many connections, too many requests. */
  readonly onWarning?: ((message: string) => void) | undefined
  /** Sent with the refusals that the transport itself makes before the handler sees the request. */
  readonly headers?: HeaderSet | undefined
  /** Whose `x-forwarded-for` counts: nobody's, the last N proxies', or those from these addresses and CIDR ranges. */
  readonly trustProxy?: false | number | readonly string[] | undefined
}

export interface ServerLimits {
  /** Largest body in bytes; beyond it 413. */
  readonly body: number
  /** The same for multipart bodies, which are read piece by piece. */
  readonly upload: number
  /** Bytes of bodies in memory, of all requests together; beyond it 503. */
  readonly bodies: number
  /** Longest request target in bytes; beyond it 414. */
  readonly url: number
  /** Milliseconds until an unanswered request is answered 503. */
  readonly requestTimeout: number
  /** Milliseconds a kept-alive connection may idle; uWebSockets.js keeps its own 10 seconds. */
  readonly keepAlive: number
  /** Connections open at the same time; undefined: as many as the limit of open files leaves room for. */
  readonly connections?: number | undefined
  /** Requests worked on at the same time; one more is a 503. */
  readonly requests?: number
  /** Milliseconds that the event loop may be late, time after time, before new requests are a 503; 0: whatever it is. */
  readonly eventLoopDelay?: number
}

export interface HttpServer {
  readonly name: 'uws' | 'node'
  /** Resolves with the port that was bound (0 picks a free one). Rejects with code `EADDRINUSE` on a busy port. */
  /** `shared`: other processes, workers of the same server, listen on the port as well. */
  listen(port: number, host: string, shared?: boolean): Promise<{ readonly port: number }>
  /** Stops accepting, lets running requests finish for at most `drain` milliseconds, then closes. */
  close(drain: number): Promise<void>
}
