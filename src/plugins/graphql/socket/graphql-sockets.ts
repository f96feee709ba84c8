// Replies to WebSocket handshakes and tracks the open sockets. The protocol is graphql-transport-ws, known
// from the library graphql-ws.

import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { SERVICE_RESTART } from '../../../http/socket.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { createTurnstile } from '../../../lib/turnstile.ts'
import { type OperationSocket, openOperationSocket, type SocketOptions } from './operation-socket.ts'
import { PROTOCOL } from './socket-message.ts'

interface GraphqlSockets {
  /** Undefined unless the request is a handshake. */
  replyTo(request: HttpRequest): Reply | undefined
  /** Closes all sockets; clients reconnect. */
  end(): void
}

export function createGraphqlSockets(options: Omit<SocketOptions, 'nextTurn'>): GraphqlSockets {
  const parts = { ...options, nextTurn: createTurnstile() }
  const open = new Set<OperationSocket>()
  let ended = false

  return {
    replyTo(request) {
      if (request.header('upgrade')?.toLowerCase() !== 'websocket') return undefined
      if (ended) throw new ApiError('ServiceUnavailableError', 'the server ends or reloads: connect again')
      if (request.header('sec-websocket-version') !== '13') {
        const version = { 'sec-websocket-version': '13' }
        throw new ApiError('BadRequestError', 'the version of the WebSocket must be 13', {}, version)
      }
      const named = (request.header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
      if (!named.includes(PROTOCOL))
        throw new ApiError('BadRequestError', `the only subprotocol is ${PROTOCOL}, that of graphql-ws`)
      return {
        status: 101,
        socket: {
          protocol: PROTOCOL,
          open(socket) {
            const own = openOperationSocket(socket, request, parts, () => open.delete(own))
            // The handshake came before the end.
            if (ended) own.close(SERVICE_RESTART, 'the server ends or reloads')
            else open.add(own)
            return own
          },
        },
      }
    },
    end() {
      ended = true
      for (const socket of open) socket.close(SERVICE_RESTART, 'the server ends or reloads')
    },
  }
}
