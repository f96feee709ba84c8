// Trouble on demand: in the file and by the program, in memory and over both transports.

import { afterEach, describe, expect, test } from 'vitest'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { transportsHere } from '../support/transports.ts'

const config = {
  contentTypes: { article: { attributes: { title: 'string', body: 'text' } } },
  auth: {
    roles: { public: { permissions: ['article.find'] }, editor: { permissions: ['article.*'] } },
  },
  data: { article: [{ title: 'first', body: 'x'.repeat(1000) }] },
}

const opened: Cms[] = []
afterEach(async () => {
  for (const cms of opened.splice(0)) await cms.close()
})

async function open(options: CmsOptions = {}, trouble?: unknown): Promise<Cms> {
  const source = trouble === undefined ? config : { ...config, server: { trouble } }
  const cms = await createCms(source, { env: {}, testing: true, ...options })
  opened.push(cms)
  return cms
}

async function statuses(cms: Cms, times: number, path = '/api/articles'): Promise<number[]> {
  const found: number[] = []
  for (let time = 0; time < times; time++) found.push((await cms.fetch(path)).status)
  return found
}

describe('failures', () => {
  test('meet a part of the requests of a route, the same at each run', async () => {
    const trouble = {
      seed: 3,
      rules: [{ on: 'GET /api/articles', rate: 0.3, status: 503, retryAfter: '2s' }],
    }
    const first = await statuses(await open({}, trouble), 60)
    expect(first.filter((status) => status === 503).length).toBeGreaterThan(8)
    expect(first.filter((status) => status === 200).length).toBeGreaterThan(25)
    expect(await statuses(await open({}, trouble), 60)).toEqual(first)
    expect(await statuses(await open({}, { ...trouble, seed: 4 }), 60)).not.toEqual(first)
  })

  test('are answered as the server, or a gateway before it, answers them', async () => {
    const cms = await open()
    cms.trouble([{ status: 429, retryAfter: 1500 }])
    const refused = await cms.fetch('/api/articles')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await refused.json()).toMatchObject({ data: null, error: { status: 429, name: 'RateLimitError' } })
    cms.trouble([{ status: 502 }])
    expect(await (await cms.fetch('/api/articles')).text()).toBe('502\n')
    cms.trouble([])
    expect(await statuses(cms, 2)).toEqual([200, 200])
  })

  test('of other routes and methods do not happen, nor those of the operator', async () => {
    const cms = await open()
    cms.trouble([
      { on: '/api/a*s/1', status: 500 },
      { on: 'DELETE', status: 500 },
    ])
    expect([
      ...(await statuses(cms, 1)),
      ...(await statuses(cms, 1, '/api/articles/1')),
      (await cms.as({ role: 'editor' })('/api/articles', { method: 'DELETE' })).status,
    ]).toEqual([200, 500, 500])
    cms.trouble([{ status: 500 }])
    expect(await statuses(cms, 1, '/_health')).toEqual([204])
  })

  test('tokens that are over', async () => {
    const cms = await open()
    cms.trouble([{ staleToken: true }])
    expect((await cms.as({ role: 'editor' })('/api/articles')).status).toBe(401)
    expect(await statuses(cms, 1)).toEqual([200])
  })

  test('those of the file happen', async () => {
    const cms = await open({}, { rules: [{ status: 503 }] })
    expect(await statuses(cms, 1)).toEqual([503])
  })
})

test('answers are late', async () => {
  const cms = await open()
  const spent = async (): Promise<number> => {
    const start = process.hrtime.bigint()
    await cms.fetch('/api/articles')
    return Number(process.hrtime.bigint() - start) / 1e6
  }
  cms.trouble([{ latency: '150ms' }])
  expect(await spent()).toBeGreaterThan(140)
  cms.trouble([{ latency: { p50: 100, p95: '200ms', p99: 200 } }])
  const times: number[] = []
  for (let time = 0; time < 8; time++) times.push(await spent())
  expect(Math.max(...times)).toBeGreaterThan(60)
  expect(() => cms.trouble([{ latency: 'soon' }])).toThrow(RangeError)
})

describe.each(['memory', ...transportsHere] as const)('over %s', (transport) => {
  async function place(rules: Parameters<Cms['trouble']>[0]): Promise<() => Promise<Response>> {
    const cms = await open(transport === 'memory' ? {} : { transport })
    cms.trouble(rules)
    if (transport === 'memory') return () => cms.fetch('/api/articles')
    const { url } = await cms.listen(0, '127.0.0.1')
    return () => fetch(`${url}/api/articles`)
  }

  test('a connection is lost in the middle of an answer', async () => {
    const ask = await place([{ lost: true }])
    await expect(ask().then((response) => response.text())).rejects.toThrow()
  })

  test('a slow body is whole', async () => {
    const ask = await place([{ slow: '100ms' }])
    const { data } = (await (await ask()).json()) as { data: readonly { attributes: { body: string } }[] }
    expect(data[0]?.attributes.body).toHaveLength(1000)
  })
})

test('production refuses it', async () => {
  const production = { ...config, server: { environment: 'production', trouble: { rules: [] } } }
  await expect(createCms(production, { env: {} })).rejects.toThrow('CFG048')
  const cms = await createCms(
    {
      ...config,
      server: { environment: 'production' },
      plugins: { 'users-permissions': { config: { jwtSecret: 'a-secret-of-this-test-0123456789' } } },
    },
    { env: {} },
  )
  opened.push(cms)
  expect(() => cms.trouble([{ lost: true }])).toThrow('not disturbed in production')
})
