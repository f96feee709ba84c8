// Serves over uWebSockets.js with an exclusive port; closing lets running requests finish.

import { AwaitedBodies } from '../body/awaited-bodies.ts'
import { BodyBudget } from '../body/body-budget.ts'
import { createClientAddress } from '../client-address.ts'
import { createDeadlines } from '../deadlines.ts'
import { countConnectionsLeft } from '../descriptors.ts'
import { drainConnections } from '../drain-connections.ts'
import { type AcceptGuard, guardAccept } from '../guard-accept.ts'
import { createLoad } from '../load.ts'
import { probePort } from '../probe-port.ts'
import type { HttpServer, ServerOptions } from '../server.ts'
import { StreamSlots } from '../stream-slots.ts'
import { UnsentResponses } from '../unsent-responses.ts'
import {
  loadUws,
  type UwsListenSocket,
  type UwsRequest,
  type UwsResponse,
  type UwsSocketContext,
} from './uws-binding.ts'
import { UwsExchange, type UwsHost } from './uws-exchange.ts'
import { createUwsSockets } from './uws-sockets.ts'

/** Throws when no binary loads; does not listen yet. */
export function createUwsServer(options: ServerOptions): HttpServer {
  const uws = loadUws()
  const app = uws.App()
  const deadlines = createDeadlines(sweepInterval(options.limits.requestTimeout))
  let running = 0
  let served = 0
  let socket: UwsListenSocket | undefined
  const warn = options.onWarning ?? (() => {})
  const bodies = new BodyBudget(options.limits.bodies)
  const unsent = new UnsentResponses(options.limits.unsent ?? Number.POSITIVE_INFINITY)
  const load = createLoad(options.limits, warn, unsent)
  const sockets = createUwsSockets({ load, bodies })
  let guard: AcceptGuard | undefined
  const host: UwsHost = {
    options,
    load,
    deadlines,
    sockets,
    awaited: new AwaitedBodies(),
    clientAddress: createClientAddress(options.trustProxy),
    bodies,
    streams: new StreamSlots(options.limits),
    keepAlive: keepAliveLines(options.limits.keepAlive),
    closing: false,
    crowded: false,
    finished: () => {
      running -= 1
    },
  }

  function take(response: UwsResponse, request: UwsRequest, context?: UwsSocketContext): void {
    let exchange: UwsExchange | undefined
    try {
      exchange = new UwsExchange(response, request, host, context)
      running += 1
      served += 1
      exchange.run(options.handler)
    } catch (fault) {
      options.onFault(fault, exchange?.id)
      closeQuietly(response)
    }
  }
  // For GET both routes match: uWebSockets.js answers `Expect: 100-continue` once for each, which clients must allow for
  // (RFC 9110, section 15.2).
  app.ws('/*', { ...sockets.behavior, upgrade: take })
  app.any('/*', (response, request) => take(response, request))

  return {
    name: 'uws',
    async listen(port, address, shared = false) {
      const open = (at: number): Promise<UwsListenSocket | undefined> =>
        new Promise((resolve) => {
          const how = shared ? uws.LIBUS_LISTEN_DEFAULT : uws.LIBUS_LISTEN_EXCLUSIVE_PORT
          app.listen(address, at, how, (opened) => resolve(opened || undefined))
        })
      socket = await open(port)
      if (!socket) throw await listenFault(port, address)
      const bound = uws.us_socket_local_port(socket)
      host.streams.connections = countConnectionsLeft(options.limits.connections)
      guard = guardAccept({
        connections: options.limits.connections,
        warn,
        crowded(crowded) {
          host.crowded = crowded
        },
        stop() {
          if (socket) uws.us_listen_socket_close(socket)
          socket = undefined
        },
        async start() {
          const opened = await open(bound)
          if (host.closing && opened) uws.us_listen_socket_close(opened)
          else socket = opened
          return opened !== undefined
        },
      })
      return { port: bound }
    },
    async close(drain) {
      if (host.closing) return
      host.closing = true
      guard?.close()
      load.stop()
      if (socket) uws.us_listen_socket_close(socket)
      await drainConnections(drain, () => ({ running, served }))
      sockets.end()
      app.close()
      deadlines.stop()
      unsent.stop()
    },
  }
}

/**
 * Stops clients from reusing a connection that uWebSockets.js is about to close: it does so after 10 idle
 * seconds, whatever our settings.
 */
function keepAliveLines(milliseconds: number): string {
  const seconds = Math.max(1, Math.min(8, Math.floor(milliseconds / 1000)))
  return `\r\nconnection: keep-alive\r\nkeep-alive: timeout=${seconds}`
}

/** The response may be invalid already, and then every call throws. */
function closeQuietly(response: UwsResponse): void {
  try {
    response.close()
  } catch {
    // The response is sent, or the connection is gone.
  }
}

/** At most a tenth of the timeout, for precise deadlines. */
function sweepInterval(requestTimeout: number): number {
  return Math.min(Math.max(Math.ceil(requestTimeout / 10), 5), 500)
}

/** uWebSockets.js does not report why it could not listen, so node:net tries the same. */
function listenFault(port: number, address: string): Promise<Error> {
  return probePort(port, address).then(
    () => new Error(`cannot listen on ${address}:${port}`),
    (error: Error) => error,
  )
}
