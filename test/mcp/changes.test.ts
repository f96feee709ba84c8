// Clients that wait for changes of the tools, over sockets: those of 2026-07-28 with `subscriptions/listen`, those of 2025
// with GET.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { connectMcp } from '../support/mcp-client.ts'
import { transportsHere } from '../support/transports.ts'

const folder = mkdtempSync(join(tmpdir(), 'cms-run-mcp-changes-'))
const file = join(folder, 'cms.yaml')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MAX_STREAMS = 2
const write = (permissions: string, more = ''): void =>
  writeFileSync(
    file,
    `
plugins: { mcp: true }
server: { limits: { subscriptions: { caller: ${MAX_STREAMS} } } }
contentTypes:
  article: { title: string }${more}
auth: { roles: { public: [${permissions}] } }
`,
  )

const POLLING = { timeout: 60_000, interval: 50 }

interface Listener {
  readonly client: Client
  /** Of the requests to wait. */
  readonly statuses: readonly number[]
  readonly changes: () => number
}

async function connect(url: string, mode: 'legacy' | 'auto'): Promise<Listener> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const statuses: number[] = []
  let changes = 0
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    changes += 1
  })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (init?.method === 'GET') statuses.push(response.status)
      return response
    },
  })
  await client.connect(transport)
  return { client, statuses, changes: () => changes }
}

function openStream(url: string, signal?: AbortSignal): Promise<Response> {
  const headers = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' }
  return fetch(`${url}/mcp`, { headers, ...(signal !== undefined && { signal }) })
}

async function listTools({ client }: Pick<Listener, 'client'>): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

describe.each(transportsHere)('over %s', (transport) => {
  async function listen(run: (url: string, cms: Cms) => Promise<void>): Promise<void> {
    write('article.find')
    const cms = await createCms(file, { env: {}, transport })
    try {
      await run((await cms.listen(0, '127.0.0.1')).url, cms)
    } finally {
      await cms.close()
    }
  }

  test('2026-07-28: an edit is announced, and ends the stream', () =>
    listen(async (url, cms) => {
      const one = await connect(url, 'auto')
      const subscription = await one.client.listen({ toolsListChanged: true, resourcesListChanged: true })
      expect(subscription.honoredFilter).toEqual({ toolsListChanged: true })
      expect(await listTools(one)).not.toContain('article_create')
      write('article.find, article.create')
      await cms.reload()
      expect(await subscription.closed).toBe('graceful')
      expect(one.changes()).toBe(1)
      expect(await listTools(one)).toContain('article_create')
      const next = await one.client.listen({ toolsListChanged: true })
      write('article.find', '\n  page: { title: string }')
      await cms.reload()
      expect(await next.closed).toBe('graceful')
      expect(one.changes()).toBe(2)
      await one.client.close()
    }))

  test('2025: an edit is announced, and the client waits for the next one by itself', () =>
    listen(async (url, cms) => {
      const one = await connect(url, 'legacy')
      for (const [round, permissions] of ['article.find, article.create', 'article.*'].entries()) {
        await expect.poll(() => one.statuses.length, POLLING).toBe(round + 1)
        write(permissions)
        await cms.reload()
        await expect.poll(one.changes, POLLING).toBe(round + 1)
      }
      expect(one.statuses.every((status) => status === 200)).toBe(true)
      expect(await listTools(one)).toContain('article_delete')
      await one.client.close()
    }))

  test('streams are bounded for a caller, and a client that leaves makes room', () =>
    listen(async (url) => {
      const leaving = new AbortController()
      expect((await openStream(url, leaving.signal)).status).toBe(200)
      const two = await connect(url, 'auto')
      const subscription = await two.client.listen({ toolsListChanged: true })
      expect((await openStream(url)).status).toBe(429)
      await expect(two.client.listen({ toolsListChanged: true })).rejects.toThrow()
      // Calls are not streams.
      expect(await listTools(two)).toContain('article_find')
      leaving.abort()
      const again = new AbortController()
      await expect.poll(async () => (await openStream(url, again.signal)).status, POLLING).toBe(200)
      expect((await openStream(url)).status).toBe(429)
      await subscription.close()
      await expect
        .poll(
          () =>
            two.client.listen({ toolsListChanged: true }).then(
              () => 'open',
              () => 'refused',
            ),
          POLLING,
        )
        .toBe('open')
      again.abort()
      await two.client.close()
    }))

  test('the end of the server ends them', () =>
    listen(async (url, cms) => {
      const one = await connect(url, 'auto')
      const subscription = await one.client.listen({ toolsListChanged: true })
      const stream = await openStream(url)
      await cms.close()
      expect(await subscription.closed).toBe('graceful')
      expect(await stream.text()).toContain('notifications/tools/list_changed')
      await one.client.close()
    }))
})

test('within the process a stream lasts, too, and its reader ends it', async () => {
  write('article.find')
  const cms = await createCms(file, { env: {} })
  try {
    for (let number = 0; number < MAX_STREAMS * 2; number += 1) {
      const { status, body } = await cms.fetch('/mcp', { headers: { accept: 'text/event-stream' } })
      expect(status).toBe(200)
      await body?.cancel()
    }
    const { client } = await connectMcp(cms)
    const subscription = await client.listen({ toolsListChanged: true })
    write('article.*')
    await cms.reload()
    expect(await subscription.closed).toBe('graceful')
  } finally {
    await cms.close()
  }
})

test.each(['legacy', '2026-07-28'] as const)('a call outlasts an edit (%s)', async (era) => {
  let goOn = (): void => {}
  let begun = (): void => {}
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const rest = { config: { find: { policies: ['slow'] } } }
  const config = {
    plugins: { mcp: true },
    contentTypes: { article: { attributes: { title: 'string' }, rest } },
    auth: { roles: { public: { permissions: ['article.find'] } } },
  }
  writeFileSync(file, JSON.stringify(config))
  const cms = await createCms(file, {
    env: {},
    policies: {
      async slow() {
        begun()
        await gate
        return true
      },
    },
  })
  try {
    const { tool } = await connectMcp(cms, '', era)
    const answer = tool('article_find')
    await started
    writeFileSync(file, JSON.stringify({ ...config, name: 'Edited' }))
    await cms.reload()
    goOn()
    expect(await answer).toMatchObject({ isError: false })
  } finally {
    await cms.close()
  }
})
