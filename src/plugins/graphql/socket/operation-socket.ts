// Identifies the client of one WebSocket and runs its operations (graphql-transport-ws).

import { clearTimeout, setTimeout } from 'node:timers'
import pLimit from 'p-limit'
import type { Principal } from '../../../access/principal.ts'
import type { SubscriptionLimits } from '../../../access/subscription-limits.ts'
import { deriveRequest } from '../../../http/derive-request.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { SERVICE_RESTART, type Socket, type SocketListener } from '../../../http/socket.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import {
  type OperationRequest,
  type OperationResult,
  type Operations,
  SourceEndError,
} from '../execution/operations.ts'
import { parseParameters } from '../http/parse-parameters.ts'
import type { Protocol } from '../http/protocol.ts'
import { RequestFault } from '../http/request-fault.ts'
import { type ClientMessage, getAuthorization, parseMessage } from './socket-message.ts'

export interface SocketOptions {
  readonly protocol: Protocol
  operations(): Operations
  findPrincipal(request: HttpRequest): Principal | Promise<Principal>
  buildContext(request: HttpRequest, principal: Principal): object
  readonly limits: SubscriptionLimits
  onFault(fault: unknown, requestId: string | undefined): void
  /** Resolves when the next operation of all sockets may begin. */
  nextTurn(): Promise<void>
}

export interface OperationSocket extends SocketListener {
  close(code: number, reason: string): void
}

/** Milliseconds in which a client must identify itself. */
const INIT_TIMEOUT_MS = 10_000
/** Includes waiting and running operations and subscriptions of one socket. */
const MAX_OPERATIONS = 100
/** Queries and mutations of one socket that run at the same time. */
const MAX_RUNNING = 4
/** Unsent bytes at which the client's operations pause. */
const MAX_UNSENT_BYTES = 65_536

/** `over` is called once, when the socket is closed. */
export function openOperationSocket(
  socket: Socket,
  handshake: HttpRequest,
  options: SocketOptions,
  over: () => void,
): OperationSocket {
  let phase: 'waiting' | 'greeted' | 'open' | 'closed' = 'waiting'
  let authorization: string | undefined
  const running = new Map<string, AbortController>()
  const subscriptions = options.limits.connect(handshake.address)
  let drained: (() => void)[] = []
  const limit = pLimit(MAX_RUNNING)
  const late = setTimeout(() => close(4408, 'Connection initialisation timeout'), INIT_TIMEOUT_MS).unref()

  function close(code: number, reason: string): void {
    end()
    // A close frame holds at most 123 bytes of text.
    socket.close(code, reason.slice(0, 100))
  }

  function end(): void {
    if (phase === 'closed') return
    phase = 'closed'
    clearTimeout(late)
    for (const operation of running.values()) operation.abort()
    goOn()
    over()
  }

  function goOn(): void {
    const waiting = drained
    drained = []
    for (const each of waiting) each()
  }

  /** `payload` is JSON. */
  function send(type: string, id?: string, payload?: string): void {
    const named = id === undefined ? '' : `,"id":${JSON.stringify(id)}`
    const filled = payload === undefined ? '' : `,"payload":${payload}`
    if (phase !== 'closed') socket.send(`{"type":"${type}"${named}${filled}}`)
  }

  async function greet(payload: Readonly<Record<string, unknown>>): Promise<void> {
    if (phase !== 'waiting') return close(4429, 'Too many initialisation requests')
    phase = 'greeted'
    clearTimeout(late)
    authorization = getAuthorization(payload)
    try {
      await options.findPrincipal(deriveRequest(handshake, { authorization }))
    } catch (error) {
      if (error instanceof ApiError) return close(4403, error.message)
      return failed(error)
    }
    if (isClosed()) return
    phase = 'open'
    send('connection_ack')
  }

  function failed(fault: unknown): void {
    options.onFault(fault, handshake.id)
    close(4500, 'Internal server error')
  }

  function isClosed(): boolean {
    return phase === 'closed'
  }

  function start(id: string, payload: Readonly<Record<string, unknown>>, size: number): void {
    if (phase !== 'open') close(4401, 'Unauthorized')
    else if (running.has(id)) close(4409, `Subscriber for ${id} already exists`)
    else if (running.size >= MAX_OPERATIONS)
      refuse(id, `A WebSocket runs at most ${MAX_OPERATIONS} operations at the same time.`)
    else begin(id, payload, size)
  }

  function begin(id: string, payload: Readonly<Record<string, unknown>>, size: number): void {
    let release: () => void
    try {
      release = socket.hold(size)
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault
      refuse(id, fault.message)
      return
    }
    const controller = new AbortController()
    running.set(id, controller)
    run(id, payload, controller.signal)
      .catch((fault: unknown) => {
        if (controller.signal.aborted) return
        // The client reconnects and repeats its operations.
        if (fault instanceof SourceEndError) close(SERVICE_RESTART, fault.message)
        else if (fault instanceof ApiError) refuse(id, fault.message)
        else failed(fault)
      })
      .finally(() => {
        release()
        if (running.get(id) === controller) running.delete(id)
      })
  }

  function refuse(id: string, message: string): void {
    send('error', id, JSON.stringify([{ message }]))
  }

  async function run(
    id: string,
    payload: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    const asked = buildRequest(payload, options.protocol)
    if (typeof asked === 'string') return refuse(id, asked)
    const results = await limit(() => answersTo(asked, signal))
    for await (const result of results) {
      if (signal.aborted) return
      if (!sendResult(id, result)) return
      await untilRead(signal)
    }
    if (!signal.aborted) send('complete', id)
  }

  async function answersTo(
    asked: OperationRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<OperationResult> | readonly OperationResult[]> {
    for (await options.nextTurn(); isBehind(signal); await options.nextTurn()) await untilRead(signal)
    if (signal.aborted) return []
    const { holdResponse, end } = await socket.begin()
    try {
      const request = deriveRequest(handshake, { authorization, signal, holdResponse })
      const principal = await options.findPrincipal(request)
      if (signal.aborted) return []
      const context = options.buildContext(request, principal)
      const started = options.operations().subscribe(asked, context, () => subscriptions.open(principal))
      if ('results' in started) return started.results
      return [await started.result]
    } finally {
      end()
    }
  }

  /** False ends the operation: it was refused. */
  function sendResult(id: string, { kind, body }: OperationResult): boolean {
    if (kind === 'refused') send('error', id, errorsIn(body))
    else send('next', id, body)
    return kind !== 'refused'
  }

  function isBehind(signal: AbortSignal): boolean {
    return !signal.aborted && socket.waiting > MAX_UNSENT_BYTES
  }

  /** Resolves when the client has read nearly everything. */
  async function untilRead(signal: AbortSignal): Promise<void> {
    while (isBehind(signal)) await new Promise<void>((resolve) => drained.push(resolve))
  }

  const takes: {
    readonly [T in ClientMessage['type']]: (message: ClientMessage & { type: T }, size: number) => void
  } = {
    connection_init: ({ payload }) => void greet(payload),
    ping: () => send('pong'),
    pong() {},
    subscribe: ({ id, payload }, size) => start(id, payload, size),
    complete({ id }) {
      running.get(id)?.abort()
      running.delete(id)
    },
  }

  return {
    close,
    message(text) {
      if (phase === 'closed') return
      const message = parseMessage(text)
      if (message === undefined) close(4400, 'Invalid message received')
      else takes[message.type](message as never, text.length)
    },
    drained: goOn,
    closed: end,
  }
}

/** Returns a string with the reason for an invalid request. */
function buildRequest(
  payload: Readonly<Record<string, unknown>>,
  protocol: Protocol,
): OperationRequest | string {
  try {
    const { query, variables, operationName } = parseParameters(payload, protocol)
    return query === undefined
      ? 'Persisted queries are not answered over WebSocket.'
      : { query, variables, operationName }
  } catch (fault) {
    if (fault instanceof RequestFault) return fault.message
    throw fault
  }
}

/** The message of a refused operation is its list of errors. */
function errorsIn(body: string): string {
  const { errors } = JSON.parse(body) as { readonly errors: unknown }
  return JSON.stringify(errors)
}
