// `server.limits.rate`: who is counted together, what a refusal says, and that processes share the count.

import { afterEach, expect, test } from 'vitest'
import { createMemoryAttempts } from '../../src/access/attempt-store.ts'
import { createCallerLimit } from '../../src/access/caller-limit.ts'
import { type Cms, createCms } from '../../src/index.ts'

const TOKENS = ['token-of-the-first-program', 'token-of-the-second-program']

const configOf = (rate: object) => ({
  server: { limits: { rate }, trustProxy: 1 },
  contentTypes: { article: { attributes: { title: 'string' } } },
  auth: {
    roles: { public: { permissions: ['article.find'] } },
    apiTokens: TOKENS.map((token, at) => ({ name: `p${at}`, type: 'read-only', token })),
  },
  plugins: { graphql: true },
})

const opened: Cms[] = []
afterEach(async () => {
  for (const cms of opened.splice(0)) await cms.close()
})

async function open(rate: object): Promise<Cms> {
  const cms = await createCms(configOf(rate), { env: {}, testing: true })
  opened.push(cms)
  return cms
}

async function statuses(cms: Cms, count: number, token?: string): Promise<Readonly<Record<number, number>>> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const asked = Array.from({ length: count }, () => cms.fetch('/api/articles', { headers }))
  const found: Record<number, number> = {}
  for (const { status } of await Promise.all(asked)) found[status] = (found[status] ?? 0) + 1
  return found
}

test('each caller has a limit of its own, whatever the API', async () => {
  const cms = await open({ max: 40, interval: '1min' })
  expect(await statuses(cms, 30)).toEqual({ 200: 30 })
  const query = { method: 'POST', body: '{"query":"{ articles { data { id } } }"}' }
  const headers = { 'content-type': 'application/json' }
  for (let at = 0; at < 10; at++)
    expect((await cms.fetch('/graphql', { ...query, headers })).status).toBe(200)
  const refused = await cms.fetch('/api/articles')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    error: { name: 'RateLimitError', message: 'Too many requests, please try again later.' },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(refused.headers.get('x-ratelimit-limit')).toBe('40')
  expect((await cms.fetch('/graphql', { ...query, headers })).status).toBe(429)
  expect(await statuses(cms, 50, TOKENS[0])).toEqual({ 200: 40, 429: 10 })
  expect(await statuses(cms, 50, TOKENS[1])).toEqual({ 200: 40, 429: 10 })
  expect((await cms.fetch('/_ready')).status).toBe(200)
  cms.advance('61s')
  expect(await statuses(cms, 50)).toEqual({ 200: 40, 429: 10 })
})

test('per address, tokens are counted together', async () => {
  const cms = await open({ max: 20, per: 'address' })
  expect(await statuses(cms, 10, TOKENS[0])).toEqual({ 200: 10 })
  expect(await statuses(cms, 20, TOKENS[1])).toEqual({ 200: 10, 429: 10 })
})

test('a small limit is exact', async () => {
  const cms = await open({ max: 3 })
  expect(await statuses(cms, 10)).toEqual({ 200: 3, 429: 7 })
})

test('several processes share it', async () => {
  const store = createMemoryAttempts()
  const limits = Array.from({ length: 4 }, () =>
    createCallerLimit({ per: 'caller', max: 100, interval: 60_000, store, now: () => 1000 }),
  )
  const principal = { kind: 'api-token', name: 'p', permissions: {} as never, source: '' } as const
  let admitted = 0
  for (let at = 0; at < 400; at++) {
    try {
      await limits[at % limits.length]?.('192.0.2.1', principal)
      admitted += 1
    } catch (error) {
      expect(error).toMatchObject({ name: 'RateLimitError' })
    }
  }
  expect(admitted).toBe(100)
})
