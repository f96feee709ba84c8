// Serves WebSockets with the library ws, which is loaded at the first handshake.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { clearInterval, setInterval } from 'node:timers'
import type { WebSocket } from 'ws'
import {
  MAX_IDLE_SECONDS,
  MAX_MESSAGE_BYTES,
  MAX_WAITING_BYTES,
  refuseBinary,
  type Socket,
  type SocketListener,
  type SocketOffer,
} from '../socket.ts'
import { createOperationCounter, type SocketHost } from '../socket-host.ts'
import type { UnsentResponse } from '../unsent-responses.ts'

export interface NodeHandshake {
  readonly message: IncomingMessage
  readonly socket: Duplex
  readonly rest: Buffer
}

export interface NodeSockets {
  /** `closed` is called once, when the socket closes or the handshake fails. */
  accept(handshake: NodeHandshake, address: string, offer: SocketOffer, closed: () => void): Promise<void>
  end(): void
}

export function createNodeSockets(host: SocketHost): NodeSockets {
  /** True when the client has sent something since the last ping. */
  const all = new Map<WebSocket, boolean>()
  let pinging: NodeJS.Timeout | undefined

  function ping(): void {
    for (const [socket, heard] of all) {
      if (!heard) socket.terminate()
      else {
        all.set(socket, false)
        socket.ping()
      }
    }
  }

  function opened(socket: WebSocket, address: string, offer: SocketOffer, closed: () => void): void {
    all.set(socket, true)
    pinging ??= setInterval(ping, (MAX_IDLE_SECONDS * 1000) / 2).unref()
    const unread = host.load.openAnswer({ address }, () => socket.terminate())
    const own = socketOver(socket, unread, {
      ...createOperationCounter(host, address),
      drained: () => listener?.drained(),
    })
    let listener: SocketListener | undefined
    socket.on('pong', () => all.set(socket, true))
    socket.on('message', (message: Buffer, isBinary: boolean) => {
      all.set(socket, true)
      if (isBinary) refuseBinary(own)
      else listener?.message(message.toString())
    })
    // ws itself closes the socket with the right code.
    socket.on('error', () => {})
    socket.once('close', () => {
      all.delete(socket)
      unread.set(0)
      if (all.size === 0) {
        clearInterval(pinging)
        pinging = undefined
      }
      listener?.closed()
      closed()
    })
    listener = offer.open(own)
  }

  return {
    async accept({ message, socket, rest }, address, offer, closed) {
      try {
        const { WebSocketServer } = await import('ws')
        if (socket.destroyed) return closed()
        const server = new WebSocketServer({
          noServer: true,
          clientTracking: false,
          perMessageDeflate: false,
          maxPayload: MAX_MESSAGE_BYTES,
          handleProtocols: () => offer.protocol,
        })
        let isOpen = false
        socket.once('close', () => {
          if (!isOpen) closed()
        })
        server.handleUpgrade(message, socket, rest, (accepted) => {
          isOpen = true
          opened(accepted, address, offer, closed)
        })
      } catch (fault) {
        closed()
        throw fault
      }
    },
    end() {
      for (const socket of all.keys()) socket.terminate()
    },
  }
}

function socketOver(
  socket: WebSocket,
  unread: UnsentResponse,
  { begin, hold, drained }: Pick<Socket, 'begin' | 'hold'> & { drained(): void },
): Socket {
  function count(): void {
    if (socket.readyState !== socket.CLOSED) unread.set(socket.bufferedAmount)
  }
  return {
    get waiting() {
      return socket.bufferedAmount
    },
    send(text) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MAX_WAITING_BYTES) return socket.terminate()
      socket.send(text, () => {
        count()
        drained()
      })
      count()
    },
    begin,
    hold,
    close: (code, reason) => socket.close(code, reason),
  }
}
