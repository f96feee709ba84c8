// The HTTP endpoint of the Model Context Protocol. Each request has a server of its own, made for its caller: there are no
// sessions, and any process of the server answers any request.

import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Guard } from '../../access/guard.ts'
import type { Principal } from '../../access/principal.ts'
import { type BodyStream, jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import { isRecord } from '../../lib/is-record.ts'
import { ownPackage } from '../../lib/package-root.ts'
import type { OperationCalls } from '../../operations/operation-calls.ts'
import type { AgentTool } from '../agent-tools.ts'
import { createCallerServer } from './caller-server.ts'
import { createToolbox, type DescribeInput } from './toolbox.ts'

export interface Endpoint {
  respond(request: HttpRequest): Promise<Reply>
  /** Ends open streams. */
  close(): Promise<void>
}

interface EndpointOptions {
  readonly guard: Guard
  readonly title: string
  readonly operations: { get(): OperationCalls; readonly describeInput: DescribeInput }
  /** Tools for callers who may do everything. */
  listTools(): Promise<readonly AgentTool[]>
  onFault(fault: unknown, requestId: string | undefined): void
}

interface Caller {
  readonly request: HttpRequest
  readonly by: Principal
}

/** Open streams of clients that wait for changes of the tools. */
const MAX_STREAMS = 50

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { guard, operations } = options
  let opening: Promise<McpHttpHandler> | undefined
  /** Requests that an edit of the file must not cut off. */
  const running = new Set<Promise<Reply>>()

  async function open(): Promise<McpHttpHandler> {
    const { createMcpHandler, Server } = await import('@modelcontextprotocol/server')
    const calls = operations.get()
    const toolbox = createToolbox(calls, operations.describeInput, await options.listTools())
    const { version } = ownPackage().manifest
    return createMcpHandler(
      ({ authInfo }) => {
        const caller = authInfo?.extra?.['caller'] as Caller
        return createCallerServer(Server, { ...options, ...caller, version, calls, toolbox })
      },
      { maxSubscriptions: MAX_STREAMS },
    )
  }

  return {
    async respond(request) {
      const by = await guard.getPrincipal(request)
      opening ??= open()
      const { fetch } = await opening
      const caller: Caller = { request, by }
      // The SDK hands on what it is given; the token stays here.
      const authInfo = { token: '', clientId: by.name, scopes: [], extra: { caller } }
      const body = request.body.present ? await request.body.bytes() : new Uint8Array()
      const message = readMessage(body)
      if (Array.isArray(message)) return refuseBatch()
      const isListening = isRecord(message) && message['method'] === 'subscriptions/listen'
      const reply = fetch(buildRequest(request, body), { authInfo }).then((response) =>
        buildReply(response, isListening),
      )
      if (isListening) return reply
      running.add(reply)
      return reply.finally(() => running.delete(reply))
    },
    async close() {
      const handler = await opening
      handler?.notify.toolsChanged()
      await Promise.allSettled(running)
      await handler?.close()
    },
  }
}

function buildRequest(request: HttpRequest, body: Uint8Array): Request {
  const { method, path, signal } = request
  const headers = new Headers()
  for (const name of request.headerNames()) headers.set(name, request.header(name) ?? '')
  const url = `http://${request.header('host') ?? 'localhost'}${path}`
  return new Request(url, {
    ...{ method, headers, signal },
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  })
}

/** Undefined for text that is no JSON, which the SDK refuses. */
function readMessage(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** Revision 2025-06-18 has ended batches; with them, a request could call any number of tools. */
function refuseBatch(): Reply {
  const error = { code: -32_600, message: 'Batches are not taken: send one message in a request' }
  return jsonReply(400, JSON.stringify({ jsonrpc: '2.0', id: null, error }))
}

/** A request ends with its response: only a stream of changes is sent while it grows. */
async function buildReply(response: Response, isOpen: boolean): Promise<Reply> {
  const { status, headers, body } = response
  const contentType = headers.get('content-type') ?? undefined
  const common = { status, contentType, headers: { 'cache-control': 'no-store' } }
  const isStream = contentType?.startsWith('text/event-stream') === true
  if (body !== null && isStream && isOpen) return { ...common, body: stream(body) }
  return { ...common, body: await response.text() }
}

function stream(body: ReadableStream<Uint8Array>): BodyStream {
  return {
    length: undefined,
    async *chunks() {
      yield* body
    },
  }
}
