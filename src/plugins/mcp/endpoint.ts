// The HTTP endpoint of the Model Context Protocol. Each request has a server of its own, made for its caller: there are no
// sessions, and any process of the server answers any request.

import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { Guard } from '../../access/guard.ts'
import type { Principal } from '../../access/principal.ts'
import type { SubscriptionLimits } from '../../access/subscription-limits.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { ownPackage } from '../../lib/package-root.ts'
import type { OperationCalls } from '../../operations/operation-calls.ts'
import type { AgentTool } from '../agent-tools.ts'
import { createCallerServer } from './caller-server.ts'
import { createChangeStreams, streamBody } from './change-streams.ts'
import { createToolbox, type DescribeInput } from './toolbox.ts'

export interface Endpoint {
  respond(request: HttpRequest): Promise<Reply>
  /** Ends open streams. */
  close(): Promise<void>
}

interface EndpointOptions {
  readonly guard: Guard
  readonly limits: SubscriptionLimits
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

interface Handlers {
  readonly calls: McpHttpHandler
  /** Apart, so that its end breaks off no call. */
  readonly listening: McpHttpHandler
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { guard, limits, operations } = options
  const streams = createChangeStreams()
  let opening: Promise<Handlers> | undefined
  let hasEnded = false

  async function open(): Promise<Handlers> {
    const { createMcpHandler, Server } = await import('@modelcontextprotocol/server')
    const calls = operations.get()
    const toolbox = createToolbox(calls, operations.describeInput, await options.listTools())
    const { version } = ownPackage().manifest
    const create = (): McpHttpHandler =>
      createMcpHandler(
        ({ authInfo }) => {
          const caller = authInfo?.extra?.['caller'] as Caller
          return createCallerServer(Server, { ...options, ...caller, version, calls, toolbox })
        },
        { maxSubscriptions: Number.POSITIVE_INFINITY },
      )
    return { calls: create(), listening: create() }
  }

  /** Within the limits of `server.limits.subscriptions`. */
  async function stream({ request, by }: Caller, ask: () => Promise<Response>): Promise<Reply> {
    if (hasEnded) throw new ApiError('ServiceUnavailableError', 'the file was edited: ask again')
    const { close } = limits.connect(request.address).open(by)
    try {
      const response = await ask()
      const { body } = response
      if (body !== null && isStream(response))
        return { ...buildHead(response), body: streamBody(body, close) }
      close()
      return { ...buildHead(response), body: await response.text() }
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    async respond(request) {
      const by = await guard.getPrincipal(request)
      if (isOldListener(request))
        return stream(
          { request, by },
          async () => new Response(streams.open(), { headers: { 'content-type': 'text/event-stream' } }),
        )
      opening ??= open()
      const { calls, listening } = await opening
      const caller: Caller = { request, by }
      // The SDK hands on what it is given; the token stays here.
      const authInfo = { token: '', clientId: by.name, scopes: [], extra: { caller } }
      const body = request.body.present ? await request.body.bytes() : new Uint8Array()
      const message = readMessage(body)
      if (Array.isArray(message)) return refuseBatch()
      if (isRecord(message) && message['method'] === 'subscriptions/listen')
        return stream(caller, () => listening.fetch(buildRequest(request, body), { authInfo }))
      const response = await calls.fetch(buildRequest(request, body, request.signal), { authInfo })
      // A request ends with its response: only a stream of changes is sent while it grows.
      return { ...buildHead(response), body: await response.text() }
    },
    async close() {
      hasEnded = true
      streams.end()
      const handlers = await opening
      handlers?.listening.notify.toolsChanged()
      await handlers?.listening.close()
    },
  }
}

/** Revisions of 2025 have a stream for messages of the server; the one of 2026 has a method for it. */
function isOldListener(request: HttpRequest): boolean {
  const version = request.header('mcp-protocol-version') ?? ''
  return (
    request.method === 'GET' &&
    version < '2026' &&
    request.header('accept')?.includes('text/event-stream') === true
  )
}

function buildRequest(request: HttpRequest, body: Uint8Array, signal?: AbortSignal): Request {
  const { method, path } = request
  const headers = new Headers()
  for (const name of request.headerNames()) headers.set(name, request.header(name) ?? '')
  const url = `http://${request.header('host') ?? 'localhost'}${path}`
  return new Request(url, {
    ...{ method, headers },
    ...(signal !== undefined && { signal }),
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

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function buildHead({ status, headers }: Response): Omit<Reply, 'body'> {
  const contentType = headers.get('content-type') ?? undefined
  return { status, contentType, headers: { 'cache-control': 'no-store' } }
}
