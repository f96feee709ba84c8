// Declares a WebSocket (RFC 6455) independent of the transport.

export interface Socket {
  /** Bytes that the client has not read yet. */
  readonly waiting: number
  /**
   * Ignored when the socket is closed. Disconnects a client with more than `MAX_WAITING_BYTES` unread bytes.
   */
  send(text: string): void
  /** Counts an operation as a running request. Rejects with ServiceUnavailableError on overload. */
  begin(): Promise<RunningOperation>
  /**
   * Counts bytes against the limit of all bodies; the returned function releases them. Throws
   * ServiceUnavailableError without room.
   */
  hold(bytes: number): () => void
  /** RFC 6455, 7.4. */
  close(code: number, reason: string): void
}

interface RunningOperation {
  holdResponse(characters: number): void
  end(): void
}

export interface SocketListener {
  message(text: string): void
  drained(): void
  /** Called once, whichever side closed the socket. */
  closed(): void
}

export interface SocketOffer {
  readonly protocol: string
  open(socket: Socket): SocketListener
}

/** Bytes. A longer message closes the socket (1009); each connection may keep as much. */
export const MAX_MESSAGE_BYTES = 131_072

export const MAX_WAITING_BYTES = 4_194_304

/** Seconds without a pong. */
export const MAX_IDLE_SECONDS = 60

const UNSUPPORTED_DATA = 1003
export const SERVICE_RESTART = 1012

export function refuseBinary(socket: Socket): void {
  socket.close(UNSUPPORTED_DATA, 'only text is understood')
}
