// Serves over node:http on machines on which the binary of uWebSockets.js does not load.

import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Server, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import { ApiError } from '../../lib/errors/api-error.ts'
import { AwaitedBodies } from '../body/awaited-bodies.ts'
import { BodyBudget } from '../body/body-budget.ts'
import { isUpload } from '../body/content-type.ts'
import { createClientAddress } from '../client-address.ts'
import { countConnectionsLeft, countLastConnections } from '../descriptors.ts'
import { drainConnections } from '../drain-connections.ts'
import { buildErrorReply } from '../error-reply.ts'
import { createLoad } from '../load.ts'
import type { Reply } from '../reply.ts'
import { formatHeaders } from '../reply-head.ts'
import { MAX_HEAD_BYTES, requestId } from '../request-head.ts'
import type { HttpServer, ServerOptions } from '../server.ts'
import { getStatusLine } from '../status-line.ts'
import { StreamSlots } from '../stream-slots.ts'
import { getUploadTimeout, LINGER_MS } from '../timeouts.ts'
import { UnsentResponses } from '../unsent-responses.ts'
import { type NodeConnection, NodeExchange, type NodeHost } from './node-exchange.ts'
import { createNodeSockets } from './node-sockets.ts'
import { isHandshake, withoutUpgrade } from './upgrade-requests.ts'

/** As in uWebSockets.js. */
const HEAD_TIMEOUT_MS = 10_000

/** Unanswered requests per connection; clients that pipeline send some tens. */
const MAX_PIPELINED = 256

export function createNodeServer(options: ServerOptions): HttpServer {
  let running = 0
  let served = 0
  const warn = options.onWarning ?? (() => {})
  const bodies = new BodyBudget(options.limits.bodies)
  const unsent = new UnsentResponses(options.limits.unsent ?? Number.POSITIVE_INFINITY)
  const load = createLoad(options.limits, warn, unsent)
  const sockets = createNodeSockets({ load, bodies })
  const host: NodeHost = {
    options,
    load,
    sockets,
    clientAddress: createClientAddress(options.trustProxy),
    bodies,
    awaited: new AwaitedBodies(),
    streams: new StreamSlots(options.limits),
    closing: false,
    crowded: false,
    finished: () => {
      running -= 1
    },
  }

  const connections = new WeakMap<Socket, NodeConnection>()
  /** `last`: how many of the allowed connections end with their response. */
  let open = 0
  let last = 0
  const server = createServer({
    insecureHTTPParser: false,
    // The exchange checks the header, and responds in Strapi's envelope.
    requireHostHeader: false,
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: HEAD_TIMEOUT_MS,
    // The last resort: the exchange has its own deadline, which uploads extend.
    requestTimeout: Math.max(getUploadTimeout(options.limits), HEAD_TIMEOUT_MS),
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: options.limits.keepAlive,
    keepAlive: true,
    noDelay: true,
  })

  server.on('connection', (socket: Socket) => {
    const connection: NodeConnection = {
      ended: false,
      crowded: open >= host.streams.connections - last,
      open: new Set(),
    }
    connections.set(socket, connection)
    open += 1
    if (connection.crowded) closeSoon(socket)
    // A response that waits behind a pipelined one gets no event when the connection closes.
    socket.once('close', () => {
      open -= 1
      for (const exchange of connection.open) exchange.closed()
    })
  })

  function take(message: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(message.socket)
    // Bytes after the last request of a connection are ignored: their framing cannot be trusted.
    if (connection === undefined || connection.ended) return
    if (connection.open.size >= MAX_PIPELINED) {
      message.socket.destroy()
      return
    }
    running += 1
    served += 1
    new NodeExchange(message, response, host, connection).run(options.handler)
  }

  server.on('request', take)
  server.on('upgrade', (message: IncomingMessage, socket: Socket, rest: Buffer) => {
    const connection = connections.get(socket)
    socket.on('error', () => socket.destroy())
    // A pending response would be sent within the frames of the WebSocket.
    if (connection === undefined || connection.ended || connection.open.size > 0) socket.destroy()
    else if (isHandshake(message)) {
      running += 1
      served += 1
      connection.ended = true
      const response = new ServerResponse(message)
      response.shouldKeepAlive = false
      response.assignSocket(socket)
      response.once('finish', () => socket.destroySoon())
      new NodeExchange(message, response, host, connection, { message, socket, rest }).run(options.handler)
    } else {
      socket.unshift(Buffer.concat([withoutUpgrade(message), rest]))
      server.emit('connection', socket)
    }
  })
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    const { limits } = options
    const most = isUpload(message.headers['content-type']) ? limits.upload : limits.body
    if (Number(message.headers['content-length'] ?? 0) <= most) response.writeContinue()
    take(message, response)
  })
  server.on('checkExpectation', take)
  server.on('connect', (_message: IncomingMessage, socket: Socket) => {
    refuseSocket(socket, new ApiError('BadRequestError', 'unknown method'), options)
  })
  server.on('clientError', (fault: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connections.get(socket)
    const error = clientFault(fault.code)
    if (fault.code === 'ECONNRESET' || !socket.writable || connection === undefined) socket.destroy()
    else if (connection.open.size === 0 && !connection.ended) refuseSocket(socket, error, options)
    // The response to these bytes must not be sent before the pending responses.
    else if (![...connection.open].some((exchange) => exchange.breakOff(error))) socket.destroy()
  })

  return {
    name: 'node',
    // Node's cluster distributes the connections of a shared port to the workers.
    listen(port, address, shared = false) {
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host: address, exclusive: !shared }, () => {
          server.off('error', reject)
          host.streams.connections = countConnectionsLeft(options.limits.connections)
          last = countLastConnections(host.streams.connections)
          limitConnections(server, host.streams.connections, warn)
          server.on('error', (fault) => options.onFault(fault, undefined))
          resolve({ port: (server.address() as AddressInfo).port })
        })
      })
    },
    async close(drain) {
      if (host.closing) return
      host.closing = true
      // `close` of http.Server would close kept-alive connections at once, although a request may be on its way.
      const closed = new Promise<void>((resolve) => {
        Server.prototype.close.call(server, () => resolve())
      })
      await drainConnections(drain, () => ({ running, served }))
      server.closeAllConnections()
      sockets.end()
      server.close()
      load.stop()
      unsent.stop()
      await closed
    },
  }
}

function clientFault(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('BadRequestError', `the head is longer than ${MAX_HEAD_BYTES} bytes`)
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('BadRequestError', 'the request did not arrive in time')
  return new ApiError('BadRequestError', 'malformed request')
}

/** node:http closes connections beyond the limit at once. */
function limitConnections(server: Server, connections: number, warn: (message: string) => void): void {
  if (!Number.isFinite(connections)) return
  server.maxConnections = connections
  let told = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - told < LOG_INTERVAL_MS) return
    told = performance.now()
    warn(`${connections} connections are open, which is the limit: new ones are closed`)
  })
}

/** Milliseconds for a request when few connections are left. */
const LAST_TIMEOUT_MS = 2000

/** Closes a connection that sends no request. */
function closeSoon(socket: Socket): void {
  const timer = setTimeout(() => {
    if (socket.bytesWritten === 0) socket.destroy()
  }, LAST_TIMEOUT_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}

const LOG_INTERVAL_MS = 10_000

/**
 * Closes the connection even when the client neither reads nor closes: otherwise it would keep its
 * descriptor.
 */
function refuseSocket(socket: Socket, error: ApiError, options: ServerOptions): void {
  const reply: Reply = { ...buildErrorReply(error, () => undefined), common: options.headers }
  const body = String(reply.body)
  const head = `HTTP/1.1 ${getStatusLine(reply.status)}\r\nx-request-id: ${requestId(undefined)}${formatHeaders(reply)}`
  socket.on('error', () => socket.destroy())
  // Unread bytes would make the system reset the connection, and the client would lose the response.
  socket.resume()
  socket.end(`${head}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.once('close', () => clearTimeout(timer))
}
