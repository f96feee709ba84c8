// The clock of a program that embeds a CMS. `Date` is what the program says at the moment of each request; timers are
// the machine's, so that a program that fakes its own does not stop those of the CMS.

import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { PNG } from '../upload/open-library.ts'

const everybody = [
  'api::article.article.*',
  'plugin::upload.content-api.*',
  'plugin::users-permissions.auth.*',
  'plugin::users-permissions.user.me',
]

const config = {
  contentTypes: {
    article: {
      attributes: { title: 'string', cover: 'media' },
      options: { draftAndPublish: true },
    },
  },
  plugins: {
    email: true,
    graphql: true,
    upload: true,
    'users-permissions': {
      config: {
        jwt: { expiresIn: '1h' },
        ratelimit: { interval: 60_000, max: 3 },
        advanced: { email_confirmation: false },
      },
    },
  },
  auth: {
    roles: { public: { permissions: everybody }, authenticated: { permissions: everybody } },
    apiTokens: [
      { name: 'soon over', type: 'read-only', token: 'soon-over', expiresAt: '2030-01-01T00:00:00Z' },
    ],
    users: [{ username: 'ann', email: 'ann@example.com', password: 'Passw0rd!ann' }],
  },
  data: { article: [{ title: 'first' }] },
}

const opened: Cms[] = []

async function open(options: CmsOptions = {}): Promise<Cms> {
  const cms = await createCms(config, { env: {}, ...options })
  opened.push(cms)
  return cms
}

afterEach(async () => {
  vi.useRealTimers()
  for (const cms of opened.splice(0)) await cms.close()
})

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies are compared below
  readonly body: any
}

async function ask(cms: Cms, path: string, body?: unknown, token?: string): Promise<Answer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  const response = await cms.fetch(path, init)
  return { status: response.status, body: await response.json() }
}

const logIn = (cms: Cms): Promise<Answer> =>
  ask(cms, '/api/auth/local', { identifier: 'ann', password: 'Passw0rd!ann' })

describe('a system time that is set after the start', () => {
  test('is the time of what is written, over REST, GraphQL and `entries`', async () => {
    const cms = await open()
    const moments: string[] = []
    for (const moment of ['2031-02-03T04:05:06.789Z', '2019-01-01T00:00:00.000Z']) {
      vi.setSystemTime(moment)
      const made = await ask(cms, '/api/articles', { data: { title: 'a' } })
      const { createdAt, updatedAt, publishedAt } = made.body.data.attributes
      const query = 'mutation { createArticle(data: { title: "b" }) { data { attributes { createdAt } } } }'
      const { body } = await ask(cms, '/graphql', { query })
      const own = await cms.entries('article').create({ title: 'c' })
      moments.push(createdAt, updatedAt, publishedAt, body.data.createArticle.data.attributes.createdAt)
      moments.push(String(own['createdAt']))
      expect(new Set(moments.splice(0))).toEqual(new Set([moment]))
    }
  })

  test('ends tokens of users and API tokens', async () => {
    const cms = await open()
    vi.setSystemTime('2029-12-31T23:30:00Z')
    const { jwt } = (await logIn(cms)).body
    const statuses = async (): Promise<readonly number[]> => [
      (await ask(cms, '/api/users/me', undefined, jwt)).status,
      (await ask(cms, '/api/articles', undefined, 'soon-over')).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    vi.setSystemTime('2030-01-01T00:15:00Z')
    expect(await statuses()).toEqual([200, 401])
    vi.setSystemTime('2030-01-01T00:31:00Z')
    expect(await statuses()).toEqual([401, 401])
  })

  test('ends the wait of a rate limit', async () => {
    const cms = await open()
    vi.setSystemTime('2030-01-01T00:00:00Z')
    const wrong = (): Promise<Answer> => ask(cms, '/api/auth/local', { identifier: 'ann', password: 'wrong' })
    const statuses: number[] = []
    for (let tries = 0; tries < 4; tries += 1) statuses.push((await wrong()).status)
    expect(statuses).toEqual([400, 400, 400, 429])
    vi.setSystemTime('2030-01-01T00:01:01Z')
    expect((await logIn(cms)).status).toBe(200)
  })
})

/** All but `nextTick` and `queueMicrotask`, which Node's own Request and Response need. */
const EVERYTHING = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'performance',
  'hrtime',
  'Date',
] as const

describe('a program whose timers are all faked', () => {
  const fakeAll = (): unknown => vi.useFakeTimers({ toFake: [...EVERYTHING], now: Date.UTC(2030, 0, 1) })

  const orders: readonly (readonly [name: string, open: (options?: CmsOptions) => Promise<Cms>])[] = [
    [
      'before the start',
      (options) => {
        fakeAll()
        return open(options)
      },
    ],
    [
      'after the start',
      async (options) => {
        const cms = await open(options)
        fakeAll()
        return cms
      },
    ],
  ]

  describe.each(orders)('%s', (_name, openFaked) => {
    test('reads and writes', async () => {
      const cms = await openFaked()
      const made = await ask(cms, '/api/articles', { data: { title: 'second' } })
      expect(made).toMatchObject({
        status: 200,
        body: { data: { attributes: { createdAt: '2030-01-01T00:00:00.000Z' } } },
      })
      const { body } = await ask(cms, '/api/articles')
      expect(body.meta.pagination.total).toBe(2)
      const query = '{ articles { data { attributes { title } } } }'
      expect((await ask(cms, '/graphql', { query })).body.data.articles.data).toHaveLength(2)
    })

    test('logs in, registers and sends mails', async () => {
      const cms = await openFaked()
      const bob = { username: 'bob', email: 'bob@example.com', password: 'Passw0rd!bob' }
      const answers = await Promise.all([
        logIn(cms),
        ask(cms, '/api/auth/local/register', bob),
        ask(cms, '/api/auth/forgot-password', { email: 'ann@example.com' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(cms.outbox).toHaveLength(1)
    })

    test('takes and shows a file', async () => {
      const cms = await openFaked()
      const body = new FormData()
      body.append('files', new Blob([PNG], { type: 'image/png' }), 'dot.png')
      const response = await cms.fetch('/api/upload', { method: 'POST', body })
      const [file] = (await response.json()) as { url: string }[]
      expect(file).toMatchObject({ name: 'dot.png', width: 1, height: 1 })
      expect((await cms.fetch(file?.url ?? '')).status).toBe(200)
    })

    test('calls hooks and policies, puts content back, reloads and closes', async () => {
      const cms = await openFaked({
        policies: { open: async () => true },
        bootstrap: async (cms) => {
          await cms.entries('article').create({ title: 'of bootstrap' })
        },
      })
      const before = cms.snapshot()
      await cms.entries('article').create({ title: 'another' })
      cms.restore(before)
      await cms.reload()
      expect(await cms.entries('article').findMany()).toHaveLength(2)
      await cms.close()
    })

    test('keeps content in a file', async () => {
      const cms = await openFaked({
        database: { client: 'sqlite', filename: join(newFolder(), 'content.db') },
      })
      expect((await ask(cms, '/api/articles', { data: { title: 'kept' } })).status).toBe(200)
      expect((await ask(cms, '/api/articles')).body.meta.pagination.total).toBe(2)
    })

    test('listens', async () => {
      const cms = await openFaked()
      const { port } = await cms.listen(0, '127.0.0.1')
      expect(port).toBeGreaterThan(0)
      await cms.close()
    })
  })
})
