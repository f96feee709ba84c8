// GraphQL subscriptions, asked by the client library of graphql-sse over both transports.

import { writeFileSync } from 'node:fs'
import { createClient } from 'graphql-sse'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'
import { transportsHere } from '../support/transports.ts'

const waiting = { timeout: 30_000, interval: 10 }
const config = {
  events: true,
  contentTypes: {
    article: {
      attributes: {
        title: 'string',
        tag: 'string',
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    },
    author: { attributes: { name: 'string' } },
    secret: { attributes: { text: 'string' } },
  },
  plugins: { graphql: { config: { depthLimit: 5 } } },
  auth: { roles: { public: { permissions: ['api::article.article.*', 'api::author.author.*'] } } },
}

let cms: Cms | undefined
afterEach(() => cms?.close())

interface Change {
  readonly action: string
  readonly id: string
  readonly changed: readonly string[]
  readonly entry: unknown
}

describe.each(transportsHere)('over %s', (transport) => {
  async function open(): Promise<{ cms: Cms; url: string; file: string }> {
    const file = inFile(JSON.stringify(config), 'cms.json')
    cms = await createCms(file, { transport, env: {} })
    return { cms, file, url: `${(await cms.listen(0, '127.0.0.1')).url}/graphql` }
  }

  test('a client is told of changes with what it selects, and goes on after a reload', async () => {
    const { cms: first, url, file } = await open()
    await first.entries('author').create({ name: 'Ann' })
    const heard: Change[] = []
    const errors: unknown[] = []
    const client = createClient({
      url,
      retryAttempts: 100,
      retry: () => new Promise((resolve) => setTimeout(resolve, 20)),
    })
    const query = `subscription {
      articleChanged(filters: { tag: { eq: "a" } }) {
        action id changed entry { data { attributes { title } } }
      }
    }`
    const stop = client.subscribe<{ articleChanged: Change }>(
      { query },
      {
        next: ({ data }) => {
          if (data) heard.push(data.articleChanged)
        },
        error: (error) => errors.push(error),
        complete: () => {},
      },
    )
    // Nobody tells when a subscription is there, so entries are made until one was heard.
    await vi.waitFor(async () => {
      await first.entries('article').create({ title: 'x', tag: 'a', author: 1 })
      await first.entries('article').create({ title: 'other', tag: 'b' })
      expect([errors, heard.length]).toEqual([[], expect.toSatisfy((count: number) => count > 0)])
    }, waiting)
    expect(heard[0]).toMatchObject({
      action: 'create',
      changed: ['title', 'tag', 'author'],
      entry: {
        data: { attributes: { title: 'x' } },
      },
    })
    expect(JSON.stringify(heard)).not.toContain('other')
    // A reload ends all streams: the client connects again by itself.
    writeFileSync(file, JSON.stringify({ ...config, server: { log: { level: 'warn' } } }))
    await first.reload()
    heard.length = 0
    await vi.waitFor(async () => {
      await first.entries('article').create({ title: 'x', tag: 'a' })
      expect(heard.length).toBeGreaterThan(0)
    }, waiting)
    stop()
    client.dispose()
  })

  test('what is refused is an error of the first answer', async () => {
    const { url } = await open()
    const client = createClient({ url, retryAttempts: 0 })
    const ask = async (query: string): Promise<string> => {
      const answers: string[] = []
      for await (const answer of client.iterate({ query })) answers.push(JSON.stringify(answer))
      return answers.join()
    }
    expect(await ask('subscription { secretChanged { id } }')).toContain('Forbidden')
    expect(await ask('subscription { articleChangd { id } }')).toContain('articleChanged')
    expect(
      await ask(
        'subscription { articleChanged { entry { data { attributes { author { data { attributes { name } } } } } } } }',
      ),
    ).toContain('depth')
    expect(await ask('{ articles { data { id } } }')).toContain('"data":[]')
    client.dispose()
  })
})

test('without events there are no subscriptions, and a subscription is no ordinary request', async () => {
  cms = await createCms({ ...config, events: false })
  const query = 'subscription { articleChanged { id } }'
  expect(JSON.stringify(await cms.graphql(query))).toContain('error')
  await cms.close()
  cms = await createCms(config)
  const hint = 'A subscription goes by POST with \\"accept: text/event-stream\\", or over a WebSocket'
  expect(JSON.stringify(await cms.graphql(query))).toContain(hint)
  const response = await cms.fetch(`/graphql?query=${encodeURIComponent(query)}`)
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(hint)])
})
