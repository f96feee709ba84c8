// Connects sockets of uWebSockets.js to their listeners.

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
import type { UwsResponse, UwsSocket, UwsSocketBehavior, UwsSocketContext } from './uws-binding.ts'

interface UwsHandshake {
  readonly response: UwsResponse
  readonly context: UwsSocketContext
  readonly key: string
}

export interface UwsSockets {
  readonly behavior: Omit<UwsSocketBehavior, 'upgrade'>
  /** The response must be corked. `closed` is called once. */
  accept(handshake: UwsHandshake, address: string, offer: SocketOffer, closed: () => void): void
  end(): void
}

interface OpenSocket {
  readonly socket: Socket
  readonly unread: UnsentResponse
  readonly listener: SocketListener
  closed(): void
}

export function createUwsSockets(host: SocketHost): UwsSockets {
  const all = new Map<UwsSocket, OpenSocket>()
  /** `open` is called while a handshake is accepted. */
  let opening: { readonly address: string; readonly offer: SocketOffer; closed(): void } | undefined

  return {
    behavior: {
      compression: 0,
      maxPayloadLength: MAX_MESSAGE_BYTES,
      maxBackpressure: MAX_WAITING_BYTES,
      closeOnBackpressureLimit: true,
      idleTimeout: MAX_IDLE_SECONDS,
      open(uws) {
        if (opening === undefined) return uws.close()
        const { address, offer, closed } = opening
        const unread = host.load.openAnswer({ address }, () => uws.close())
        const socket = socketOver(uws, unread, {
          isOpen: () => all.has(uws),
          ...createOperationCounter(host, address),
        })
        const before: OpenSocket = { socket, unread, listener: IGNORED, closed }
        all.set(uws, before)
        const listener = offer.open(socket)
        if (all.has(uws)) all.set(uws, { socket, unread, listener, closed })
        else listener.closed()
      },
      message(uws, message, isBinary) {
        const open = all.get(uws)
        if (open === undefined) return
        if (isBinary) refuseBinary(open.socket)
        // uWebSockets.js reuses the memory of a message after the callback.
        else open.listener.message(Buffer.from(message).toString())
      },
      drain(uws) {
        const open = all.get(uws)
        open?.unread.set(uws.getBufferedAmount())
        open?.listener.drained()
      },
      close(uws) {
        const open = all.get(uws)
        all.delete(uws)
        open?.unread.set(0)
        open?.listener.closed()
        open?.closed()
      },
    },
    accept({ response, context, key }, address, offer, closed) {
      opening = { address, offer, closed }
      try {
        response.upgrade({}, key, offer.protocol, '', context)
      } finally {
        opening = undefined
      }
    },
    end() {
      for (const uws of all.keys()) uws.close()
    },
  }
}

const IGNORED: SocketListener = { message() {}, drained() {}, closed() {} }

/** A closed socket of uWebSockets.js must not be touched. */
function socketOver(
  uws: UwsSocket,
  unread: UnsentResponse,
  { isOpen, begin, hold }: Pick<Socket, 'begin' | 'hold'> & { isOpen(): boolean },
): Socket {
  return {
    get waiting() {
      return isOpen() ? uws.getBufferedAmount() : 0
    },
    send(text) {
      if (!isOpen()) return
      uws.send(text, false, false)
      // Too many bytes waited, and the socket was closed.
      if (isOpen()) unread.set(uws.getBufferedAmount())
    },
    begin,
    hold,
    close(code, reason) {
      if (isOpen()) uws.end(code, reason)
    },
  }
}
