// Serves a file's content to an agent over standard input and output. The requests go to the endpoint `/mcp` of a CMS within
// this process, as one caller.

import type { Server } from '@modelcontextprotocol/server'
import type { Caller } from '../../app/callers.ts'
import { openCmsFor } from '../../app/create-cms.ts'
import type { InjectFetch } from '../../http/inject.ts'
import { isRecord } from '../../lib/is-record.ts'
import { ownPackage } from '../../lib/package-root.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { runCasesForAgent } from '../run-cases-for-agent.ts'

const METHODS = ['tools/list', 'tools/call', 'resources/list', 'resources/read'] as const

export async function serveMcp({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { as = 'public' } = command.flags
  const caller = as === 'developer' ? undefined : readCaller(as)
  if (caller === undefined && as !== 'developer')
    return reporter.fail('--as is public, role:…, user:…, token:… or developer', exitCodes.usage)
  const { watch } = command.flags
  const opened = await openCmsFor(
    file,
    { env: check.env, watch, log: (line) => io.err(`${line}\n`) },
    { follows: watch, runCases: (name, cases) => runCasesForAgent(name, cases, check.env) },
  ).catch((error: Error) => error)
  if (opened instanceof Error) return reporter.fail(opened.message)
  const { cms, asDeveloper } = opened
  try {
    const fetch = caller === undefined ? asDeveloper : cms.as(caller)
    const fault = await findFault(fetch)
    if (fault !== undefined) return reporter.fail(fault)
    await serve(fetch, io)
    return exitCodes.ok
  } finally {
    await cms.close()
  }
}

function readCaller(text: string): Caller | undefined {
  const [, kind, name = ''] = /^(public|role|user|token)(?::(.+))?$/.exec(text) ?? []
  if (kind === 'public') return { role: 'public' }
  if (kind === undefined || name === '') return undefined
  return kind === 'user' ? name : kind === 'role' ? { role: name } : { token: name }
}

async function findFault(fetch: InjectFetch): Promise<string | undefined> {
  try {
    const { status } = await send(fetch, { method: 'ping' })
    if (status === 404) return 'the file has no MCP server: write "plugins: { mcp: true }"'
    return status < 400 ? undefined : `the caller of --as is refused (${status})`
  } catch (error) {
    return (error as Error).message
  }
}

function send(fetch: InjectFetch, message: object): Promise<Response> {
  return fetch('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: {}, ...message }),
  })
}

/** Resolves when the agent closes the input, or a signal comes. */
async function serve(fetch: InjectFetch, io: Invocation['io']): Promise<void> {
  const { ProtocolError, Server } = await import('@modelcontextprotocol/server')
  const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const { version } = ownPackage().manifest
  const initialized = await ask(fetch, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'cms-run mcp', version },
  })
  const { serverInfo, instructions } = initialized.result as {
    serverInfo: { name: string; version: string }
    instructions: string
  }
  const transport = new StdioServerTransport()
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve)
    for (const name of ['SIGTERM', 'SIGINT'] as const) io.onSignal(name, resolve)
  })
  let current: Server | undefined
  const handle = serveStdio(
    () => {
      const capabilities = { tools: { listChanged: true }, resources: {} }
      const server = new Server(serverInfo, { capabilities, instructions })
      for (const method of METHODS)
        server.setRequestHandler(method, async ({ params }) => {
          const { result, error } = await ask(fetch, method, params ?? {})
          if (error !== undefined) throw new ProtocolError(error.code, error.message)
          // The endpoint has written it with the same package.
          return result as never
        })
      current = server
      return server
    },
    { transport },
  )
  void followTools(fetch, async () => current?.sendToolListChanged())
  await ended
  await handle.close()
}

/** An edit of the file ends each stream of changes with a message; the end of the server ends this, too. */
async function followTools(fetch: InjectFetch, changed: () => Promise<void>): Promise<void> {
  try {
    for (;;) {
      const response = await fetch('/mcp', { headers: { accept: 'text/event-stream' } })
      const text = await response.text()
      if (!text.includes('notifications/tools/list_changed')) return
      await changed()
    }
  } catch {
    // The agent has left meanwhile.
  }
}

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** Without what belongs to the connection of the agent. */
async function ask(fetch: InjectFetch, method: string, params: object): Promise<Answer> {
  const { _meta, ...own } = params as Readonly<Record<string, unknown>>
  const response = await send(fetch, { method, params: own })
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const json = isStream ? (/^data: (.+)$/m.exec(text)?.[1] ?? '{}') : text
  const answer: unknown = JSON.parse(json)
  if (isRecord(answer) && ('result' in answer || isRpcError(answer['error']))) return answer
  const refused = isRecord(answer) && isRecord(answer['error']) ? String(answer['error']['message']) : ''
  return { error: { code: -32_000, message: `the server refused it (${response.status}): ${refused}` } }
}

function isRpcError(value: unknown): boolean {
  return isRecord(value) && typeof value['code'] === 'number'
}
