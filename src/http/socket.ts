// A WebSocket (RFC 6455) as a route sees it, independent of the transport. A route answers the handshake with a reply
// that has a `socket`.

export interface Socket {
  /** Bytes that the client has not read yet. */
  readonly waiting: number
  /** Ignored when the socket is closed. A client for which more than `MAX_WAITING_BYTES` bytes wait is disconnected. */
  send(text: string): void
  /**
   * Counts an operation as a running request, once it may begin. Rejects with ServiceUnavailableError when the server is
   * overloaded.
   */
  begin(): Promise<RunningOperation>
  /**
   * Counts bytes of a message that are kept in memory against the limit of all bodies; the returned function releases
   * them. Throws ServiceUnavailableError when there is no room.
   */
  hold(bytes: number): () => void
  /** Sends a close frame with the code (RFC 6455, 7.4), and ends the connection. */
  close(code: number, reason: string): void
}

interface RunningOperation {
  /** As that of a request. */
  holdAnswer(characters: number): void
  end(): void
}

export interface SocketListener {
  message(text: string): void
  /** Less is waiting than before. */
  drained(): void
  /** Called once, whoever closed the socket: nothing can be sent any more. */
  closed(): void
}

export interface SocketOffer {
  /** The subprotocol, one of those that the client named. */
  readonly protocol: string
  open(socket: Socket): SocketListener
}

/** Bytes of a message from a client. The socket is closed (1009) by a longer one; each connection may keep as much. */
export const MESSAGE_LIMIT = 131_072

/** Bytes that may wait for a client. */
export const MAX_WAITING_BYTES = 4_194_304

/** Seconds after which a client that answers no ping is gone. */
export const IDLE_LIMIT = 60

/** Close codes. */
const UNSUPPORTED_DATA = 1003
export const SERVICE_RESTART = 1012

/** Closes the socket on a message in bytes: no protocol here has them. */
export function refuseBinary(socket: Socket): void {
  socket.close(UNSUPPORTED_DATA, 'only text is understood')
}
