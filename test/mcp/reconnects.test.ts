// Clients that stay while connections break and servers start again: there are no sessions that could be lost.

import { createServer, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type McpClient, wrapClient } from '../support/mcp-client.ts'

const config = {
  plugins: { mcp: true },
  contentTypes: { article: { attributes: { title: 'string' } } },
  auth: { roles: { public: { permissions: ['article.*'] } } },
}

const POLLING = { timeout: 60_000, interval: 50 }
const MODES = ['legacy', 'auto'] as const

interface Connected extends McpClient {
  readonly transport: StreamableHTTPClientTransport
  readonly changes: () => number
}

async function connect(url: string, mode: (typeof MODES)[number], sessionId?: string): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1
  })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    reconnectionOptions: {
      ...{ initialReconnectionDelay: 50, maxReconnectionDelay: 50 },
      ...{ reconnectionDelayGrowFactor: 1, maxRetries: 1_000 },
    },
    ...(sessionId !== undefined && { requestInit: { headers: { 'mcp-session-id': sessionId } } }),
  })
  await client.connect(transport)
  return { ...wrapClient(client), transport, changes: () => changes }
}

async function start(port = 0): Promise<{ readonly cms: Cms; readonly url: string; readonly port: number }> {
  // uWebSockets.js does not listen again on a port while old connections to it time out.
  const cms = await createCms(config, { env: {}, transport: 'node' })
  const bound = await cms.listen(port, '127.0.0.1')
  return { cms, url: bound.url, port: bound.port }
}

test.each(MODES)('a server that starts again goes on with the same client (%s)', async (mode) => {
  const first = await start()
  const one = await connect(first.url, mode)
  expect((await one.tool('article_create', { data: { title: 'x' } })).isError).toBe(false)
  await first.cms.close()
  await expect(one.tool('article_count')).rejects.toThrow()
  const second = await start(first.port)
  try {
    expect((await one.tool('article_count')).texts[0]).toContain('"count":0')
    // The stream of a client of 2025 is open again, too, and hears of the end of this server.
    const before = one.changes()
    const subscription = mode === 'auto' ? await one.client.listen({ toolsListChanged: true }) : undefined
    if (mode === 'legacy')
      await expect.poll(() => second.cms.requests.some(({ method }) => method === 'GET'), POLLING).toBe(true)
    await second.cms.close()
    await expect.poll(one.changes, POLLING).toBeGreaterThan(before)
    if (subscription !== undefined) expect(await subscription.closed).toBe('graceful')
  } finally {
    await one.client.close()
    await second.cms.close()
  }
})

test.each(MODES)('connections that break cost a call, and no more (%s)', async (mode) => {
  const { cms, port } = await start()
  const sockets = new Set<Socket>()
  const { connect: dial } = await import('node:net')
  const proxy = createServer((socket) => {
    const target = dial(port, '127.0.0.1')
    for (const one of [socket, target]) {
      sockets.add(one)
      one.on('error', () => undefined)
    }
    socket.pipe(target).pipe(socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address() as { readonly port: number }
  const one = await connect(`http://127.0.0.1:${address.port}`, mode)
  try {
    for (let round = 1; round <= 3; round += 1) {
      expect((await one.tool('article_create', { data: { title: 'x' } })).isError).toBe(false)
      const subscription = mode === 'auto' ? await one.client.listen({ toolsListChanged: true }) : undefined
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      if (subscription !== undefined) expect(await subscription.closed).toBe('remote')
      // An idle connection that has broken is noticed with the first call over it.
      const count = (): Promise<string | undefined> =>
        one.tool('article_count').then(
          ({ texts }) => texts[0],
          () => undefined,
        )
      await expect.poll(count, POLLING).toContain(`"count":${round}`)
    }
  } finally {
    await one.client.close()
    await cms.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  }
})

test.each(MODES)('there is no session to end, and a stale one does no harm (%s)', async (mode) => {
  const { cms, url } = await start()
  try {
    const one = await connect(url, mode)
    expect(one.transport.sessionId).toBeUndefined()
    await one.transport.terminateSession()
    expect((await one.tool('article_count')).isError).toBe(false)
    const stale = await connect(url, mode, 'a-session-of-an-older-server')
    expect((await stale.tool('article_count')).isError).toBe(false)
    const headers = { 'mcp-session-id': 'a-session-of-an-older-server' }
    const ended = await fetch(`${url}/mcp`, { method: 'DELETE', headers })
    expect(ended.status).toBe(405)
    expect((await one.tool('article_count')).isError).toBe(false)
    await one.client.close()
    await stale.client.close()
  } finally {
    await cms.close()
  }
})
