// Equal subscriptions of equal callers are answered once, and nobody is told what was answered to somebody else.

import { type Client, createClient } from 'graphql-ws'
import { afterEach, expect, test, vi } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { recorded } from '../support/record-statements.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original<typeof import('../../src/storage/open-database.ts')>())
})

const waiting = { timeout: 30_000, interval: 10 }
const TOKENS = { red: 'r'.repeat(40), blue: 'b'.repeat(40), both: 'c'.repeat(40) }
const config = {
  events: true,
  contentTypes: {
    article: { attributes: { title: 'string', color: 'string' } },
    note: { attributes: { text: 'string', color: 'string' } },
  },
  plugins: { graphql: true },
  auth: {
    apiTokens: Object.entries(TOKENS).map(([name, token]) => ({
      name,
      token,
      type: 'custom',
      permissions: [
        'api::note.note.findOne',
        name === 'both' ? 'api::note.note.find' : { 'api::note.note.find': { where: `color == "${name}"` } },
      ],
    })),
    roles: { public: { permissions: ['article.*'] } },
  },
}

let cms: Cms | undefined
let clients: Client[] = []
afterEach(async () => {
  for (const client of clients) await client.dispose()
  clients = []
  await cms?.close()
})

async function open(more: object = {}, options: Partial<CmsOptions> = {}): Promise<string> {
  recorded.length = 0
  cms = await createCms({ ...config, ...more }, { env: {}, ...options })
  return `${(await cms.listen(0, '127.0.0.1')).url}/graphql`.replace('http', 'ws')
}

function connect(url: string, token?: string, headers: Record<string, string> = {}): Client {
  class WithHeaders extends WebSocket {
    constructor(address: string, protocols: string, options?: ClientOptions) {
      super(address, protocols, { ...options, headers })
    }
  }
  const client = createClient({
    url,
    webSocketImpl: WithHeaders,
    retryAttempts: 0,
    ...(token !== undefined && { connectionParams: { token } }),
  })
  clients.push(client)
  return client
}

function listen(client: Client, query: string, variables: Record<string, unknown> = {}): string[] {
  const answers: string[] = []
  client.subscribe(
    { query, variables },
    {
      next: (answer) => answers.push(JSON.stringify(answer)),
      error: (error) => answers.push(`error ${JSON.stringify(error)}`),
      complete: () => answers.push('complete'),
    },
  )
  return answers
}

/** A subscription is there when a query that was sent after it is answered. */
async function settled(): Promise<void> {
  for (const client of clients) for await (const _ of client.iterate({ query: '{ __typename }' }));
  await new Promise((resolve) => setTimeout(resolve, 200))
}

/** How many statements read for one change, once everybody is told of it. */
async function readsOf(heard: readonly string[][]): Promise<number> {
  const [statements = []] = recorded
  const before = heard.map(({ length }) => length)
  statements.length = 0
  await cms?.entries('article').update(1, { title: 'b' })
  await vi.waitFor(() => {
    expect(heard.map(({ length }) => length)).toEqual(before.map((count) => count + 1))
  }, waiting)
  return statements.length
}

const watch = (name = 'Watch'): string =>
  `subscription ${name}($color: String) { articleChanged(filters: { color: { eq: $color } }) { action entry { data { attributes { title } } } } }`

test('any number of equal subscriptions costs the statements of one', async () => {
  const url = await open()
  await cms?.entries('article').create({ title: 'a', color: 'red' })
  const variables = { color: 'red' }
  const first = listen(connect(url), watch(), variables)
  await settled()
  const alone = await readsOf([first])
  const heard = [first]
  for (let socket = 0; socket < 3; socket++) {
    const client = connect(url)
    for (let index = 0; index < 20; index++) heard.push(listen(client, watch(), variables))
  }
  await settled()
  expect(await readsOf(heard)).toBe(alone)
  expect(new Set(heard.map((answers) => answers.at(-1))).size).toBe(1)
  // Another document asks for the entry itself, and shares who may see it.
  heard.push(listen(connect(url), watch('Other'), variables))
  await settled()
  const withOther = await readsOf(heard)
  expect(withOther).toBeGreaterThan(alone)
  heard.push(listen(connect(url), watch('Other'), variables))
  await settled()
  expect(await readsOf(heard)).toBe(withOther)
})

test('callers with other permissions are told what they may know', async () => {
  const url = await open()
  const query = 'subscription { noteChanged { entry { data { attributes { text } } } } }'
  const [red = [], blue = [], both = []] = Object.values(TOKENS).map((token) =>
    listen(connect(url, token), query),
  )
  const nobody = listen(connect(url), query)
  await settled()
  await cms?.entries('note').create({ text: 'for red', color: 'red' })
  await cms?.entries('note').create({ text: 'for blue', color: 'blue' })
  await vi.waitFor(() => expect([red, blue, both].map(({ length }) => length)).toEqual([1, 1, 2]), waiting)
  expect(red.join()).toContain('for red')
  expect(blue.join()).toContain('for blue')
  expect(nobody.join()).toContain('Forbidden')
})

test('an answer that code of users makes is that of each caller alone', async () => {
  const url = await open(
    {},
    {
      register: (user) =>
        user.graphql.extension.use({
          resolvers: {
            Article: {
              title: (
                _parent: unknown,
                _args: unknown,
                context: { request: { header(name: string): string } },
              ) => context.request.header('x-name'),
            },
          },
        }),
    },
  )
  const ann = listen(connect(url, undefined, { 'x-name': 'Ann' }), watch(), { color: 'red' })
  const bob = listen(connect(url, undefined, { 'x-name': 'Bob' }), watch(), { color: 'red' })
  await settled()
  await cms?.entries('article').create({ title: 'a', color: 'red' })
  await vi.waitFor(() => expect([ann.length, bob.length]).toEqual([1, 1]), waiting)
  expect(ann.join()).toContain('"title":"Ann"')
  expect(bob.join()).toContain('"title":"Bob"')
})
