// How many subscriptions and streams there may be, and what one event may cost with all of a caller, over both transports.

import { createClient as createStreamClient } from 'graphql-sse'
import { type Client, createClient } from 'graphql-ws'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Cms, createCms } from '../../src/index.ts'
import { transportsHere } from '../support/transports.ts'
import { type Listening, listenTo } from './event-source.ts'

const waiting = { timeout: 30_000, interval: 10 }
const TOKEN = 'a'.repeat(40)
const config = {
  events: true,
  contentTypes: { article: { attributes: { title: 'string' } } },
  plugins: { graphql: true },
  auth: {
    apiTokens: [{ name: 'reader', token: TOKEN, type: 'custom', permissions: ['api::article.article.find'] }],
    roles: { public: { permissions: ['article.*'] } },
  },
}

let cms: Cms | undefined
let clients: { dispose(): void | Promise<void> }[] = []
afterEach(async () => {
  for (const client of clients) await client.dispose()
  clients = []
  await cms?.close()
})

describe.each(transportsHere)('over %s', (transport) => {
  async function open(more: object): Promise<string> {
    cms = await createCms({ ...config, ...more }, { transport, env: {} })
    return (await cms.listen(0, '127.0.0.1')).url
  }
  const limited = (subscriptions: object): Promise<string> => open({ server: { limits: { subscriptions } } })

  function connect(url: string, token?: string): Client {
    const client = createClient({
      url: `${url}/graphql`.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...(token !== undefined && { connectionParams: { token } }),
    })
    clients.push(client)
    return client
  }

  function listen(client: Client, name = 'Watch') {
    const answers: string[] = []
    const stop = client.subscribe(
      { query: `subscription ${name} { articleChanged { action entry { data { attributes { title } } } } }` },
      {
        next: (answer) => answers.push(JSON.stringify(answer)),
        error: (error) => answers.push(`error ${JSON.stringify(error)}`),
        complete: () => answers.push('complete'),
      },
    )
    return { answers, stop }
  }

  /** The first answer of a subscription that may listen, told of an article. */
  async function told({ answers }: { answers: string[] }): Promise<string> {
    await vi.waitFor(async () => {
      await cms?.entries('article').create({ title: 'a' })
      expect(answers.length).toBeGreaterThan(0)
    }, waiting)
    return answers[0] ?? ''
  }

  test('one socket has so many; one more is an error, and one that ends makes room', async () => {
    const client = connect(await limited({ connection: 2 }))
    const first = listen(client)
    const second = listen(client)
    expect(await told(first)).toContain('create')
    expect(await told(second)).toContain('create')
    const third = listen(client)
    await vi.waitFor(() => expect(third.answers).toHaveLength(1), waiting)
    expect(third.answers[0]).toMatch(/^error .*This connection has 2 subscriptions open, which is the limit/)
    // A question is no subscription.
    for await (const { data } of client.iterate({ query: '{ __typename }' }))
      expect(data).toEqual({ __typename: 'Query' })
    first.stop()
    await vi.waitFor(async () => expect(await told(listen(client))).toContain('create'), waiting)
  })

  test('a caller has so many over all connections and APIs, and others have their own', async () => {
    const url = await limited({ caller: 2 })
    const stream = await listenTo((path, init) => fetch(url + path, init), '/api/_events')
    const client = connect(url)
    expect(await told(listen(client))).toContain('create')
    const refused = 'This caller has 2 subscriptions and streams open, which is the limit'
    const third = listen(connect(url))
    await vi.waitFor(() => expect(third.answers.join()).toContain(refused), waiting)
    const over = await fetch(`${url}/api/_events`)
    expect(over.status).toBe(429)
    expect(over.headers.get('retry-after')).toBe('10')
    expect(await over.text()).toContain(refused)
    const streams = createStreamClient({ url: `${url}/graphql`, retryAttempts: 0 })
    clients.push(streams)
    const answers: string[] = []
    for await (const answer of streams.iterate({ query: 'subscription { articleChanged { id } }' }))
      answers.push(JSON.stringify(answer))
    expect(answers.join()).toContain(refused)
    expect(await told(listen(connect(url, TOKEN)))).toContain('create')
    await client.dispose()
    await vi.waitFor(async () => expect(await told(listen(connect(url)))).toContain('create'), waiting)
    await stream.stop()
  })

  test('the server has so many of all callers', async () => {
    const url = await limited({ server: 1 })
    expect(await told(listen(connect(url, TOKEN)))).toContain('create')
    const over = await fetch(`${url}/api/_events`)
    expect(over.status).toBe(503)
    expect(await over.text()).toContain('The server has 1 subscriptions and streams open')
  })

  /** A subscription is there a moment after a question is answered that was asked later. */
  async function settle(client: Client): Promise<void> {
    for await (const _ of client.iterate({ query: '{ __typename }' }));
    await new Promise((resolve) => setTimeout(resolve, 300))
  }

  test('one event may cost a caller so much: some of what is beyond it ends, and the rest goes on', async () => {
    const url = await open({ rest: { limits: { cost: 2000 } } })
    const client = connect(url)
    const all = Array.from({ length: 20 }, (_, index) => listen(client, `Watch${index}`))
    await settle(client)
    const other = connect(url, TOKEN)
    const ofOther = listen(other)
    await settle(other)
    await cms?.entries('article').create({ title: 'first' })
    await vi.waitFor(() => {
      for (const { answers } of [...all, ofOther]) expect(answers.length).toBeGreaterThan(0)
      expect(all.filter(({ answers }) => answers.at(-1) === 'complete')).toHaveLength(13)
    }, waiting)
    await cms?.entries('article').create({ title: 'second' })
    const rest = all.filter(({ answers }) => answers.at(-1) !== 'complete')
    await vi.waitFor(() => {
      for (const { answers } of [...rest, ofOther])
        expect(answers.map((answer) => /first|second/.exec(answer)?.[0])).toEqual(['first', 'second'])
    }, waiting)
    for (const { answers } of all.filter((each) => !rest.includes(each)))
      expect(answers).toEqual([expect.stringMatching(/One event costs \d+ of 2000/), 'complete'])
  })

  test('equal subscriptions cost once', async () => {
    const url = await open({ rest: { limits: { cost: 500 } } })
    const client = connect(url)
    const all = Array.from({ length: 20 }, () => listen(client))
    await settle(client)
    for (const title of ['first', 'second', 'third']) {
      await cms?.entries('article').create({ title })
      await vi.waitFor(() => {
        for (const { answers } of all) expect(answers.at(-1)).toContain(title)
      }, waiting)
    }
  })

  test('filters of streams have a price, too', async () => {
    const url = await open({ rest: { limits: { cost: 500 } } })
    const get = (path: string, init?: RequestInit): Promise<Response> => fetch(url + path, init)
    const streams: Listening[] = []
    for (let index = 0; index < 20; index++)
      streams.push(await listenTo(get, `/api/_events?types=article&filters[title][$ne]=${index}`))
    await cms?.entries('article').create({ title: 'a' })
    await vi.waitFor(() => {
      for (const { events } of streams) expect(events.length).toBeGreaterThan(0)
    }, waiting)
    const dropped = streams.filter(({ events }) => events.at(-1)?.event === 'dropped')
    expect(dropped.length).toBeGreaterThan(5)
    expect(dropped.length).toBeLessThan(20)
    expect(JSON.stringify(dropped[0]?.events)).toMatch(/One event costs \d+ of 500/)
    for (const { stop } of streams) await stop()
  })
})
