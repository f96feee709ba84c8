// `server.metrics`: what is counted, who may ask, and that no label holds text of a request.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type ParsedMetrics, parseMetrics } from './parse-metrics.ts'

const configOf = (metrics: unknown) => ({
  server: { metrics },
  contentTypes: { article: { attributes: { title: 'string' } } },
  auth: {
    users: [{ username: 'ann', email: 'ann@example.com', password: 'secret-of-ann', role: 'authenticated' }],
    roles: {
      public: {
        permissions: [
          'article.find',
          'article.findOne',
          'article.create',
          'plugin::users-permissions.auth.callback',
          'plugin::upload.content-api.upload',
        ],
      },
    },
  },
  plugins: { 'users-permissions': true, graphql: true, upload: { config: { provider: 'memory' } } },
  data: { article: [{ title: 'Hello' }] },
})

async function read(cms: Cms): Promise<ParsedMetrics> {
  const response = await cms.fetch('/metrics')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return parseMetrics(await response.text())
}

describe('with metrics', () => {
  let cms: Cms
  beforeAll(async () => {
    cms = await createCms(configOf(true), { env: {}, testing: true })
  })
  afterAll(() => cms.close())

  const ask = async (path: string, init?: RequestInit): Promise<number> => {
    const response = await cms.fetch(path, init)
    await response.arrayBuffer()
    return response.status
  }
  const json = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  test('requests are counted by route, method, face and class of status', async () => {
    const before = await read(cms)
    for (const id of [1, 1, 99]) await ask(`/api/articles/${id}`)
    await ask('/api/articles/1', { method: 'HEAD' })
    await ask('/graphql', json({ query: '{ articles { data { id } } }' }))
    await ask('/canary-path?canary=query')
    const after = await read(cms)
    const grown = (labels: Record<string, string>): number =>
      after.value('cms_http_requests_total', labels) - before.value('cms_http_requests_total', labels)
    const one = { route: '/api/articles/:id', face: 'rest' }
    expect(grown({ ...one, method: 'GET', status: '2xx' })).toBe(2)
    expect(grown({ ...one, method: 'GET', status: '4xx' })).toBe(1)
    expect(grown({ ...one, method: 'HEAD', status: '2xx' })).toBe(1)
    expect(grown({ route: '/graphql', face: 'graphql', method: 'POST', status: '2xx' })).toBe(1)
    expect(grown({ route: 'none', method: 'GET', status: '4xx' })).toBe(1)
    const duration = 'cms_http_request_duration_seconds'
    expect(after.types.get(duration)).toBe('histogram')
    expect(after.value(`${duration}_count`, { ...one, method: 'GET' })).toBe(
      after.value(`${duration}_bucket`, { ...one, method: 'GET', le: '+Inf' }),
    )
    expect(after.value(`${duration}_sum`, { ...one, method: 'GET' })).toBeGreaterThan(0)
  })

  test('statements, caches, logins, uploads, reloads and the process', async () => {
    const before = await read(cms)
    await ask('/api/articles', json({ data: { title: 'New' } }))
    await ask('/api/auth/local', json({ identifier: 'ann', password: 'wrong' }))
    await ask(
      '/graphql',
      json({ query: 'mutation { login(input: { identifier: "x", password: "y" }) { jwt } }' }),
    )
    const form = new FormData()
    form.append('files', new Blob(['1234'], { type: 'text/plain' }), 'a.txt')
    expect(await ask('/api/upload', { method: 'POST', body: form })).toBe(200)
    for (let times = 0; times < 4; times++) await ask('/api/articles?sort=title')
    await cms.reload()
    const after = await read(cms)
    const grown = (name: string, labels: Record<string, string> = {}): number =>
      after.value(name, labels) - before.value(name, labels)
    expect(grown('cms_database_statements_total', { kind: 'insert' })).toBeGreaterThanOrEqual(2)
    expect(grown('cms_database_statements_total', { kind: 'select' })).toBeGreaterThan(0)
    expect(grown('cms_logins_refused_total', { error: 'ValidationError' })).toBe(2)
    expect(grown('cms_uploads_total')).toBe(1)
    expect(grown('cms_upload_bytes_total')).toBe(4)
    expect(grown('cms_reloads_total')).toBe(1)
    expect(grown('cms_cache_requests_total', { cache: 'answers', result: 'hit' })).toBeGreaterThan(0)
    expect(after.value('cms_cache_bytes', { cache: 'answers' })).toBeGreaterThan(0)
    expect(after.value('cms_cache_budget_bytes', { cache: 'answers' })).toBeGreaterThanOrEqual(
      64 * 1024 * 1024,
    )
    expect(after.value('process_resident_memory_bytes')).toBeGreaterThan(1e7)
    expect(after.value('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(after.labels('nodejs_eventloop_delay_seconds', 'quantile')).toEqual(['0.5', '0.99', '1'])
    expect(after.labels('cms_build_info', 'node')).toEqual([process.version])
  })

  test('no label holds text of a request', async () => {
    await ask('/api/articles/canary-id?filters[title]=canary-value')
    await ask('/canary-path', { headers: { authorization: 'Bearer canary-token' } })
    await ask('/api/auth/local', json({ identifier: 'canary-name', password: 'canary-password' }))
    await ask('/api/articles', { method: 'PROPFIND' })
    const response = await cms.fetch('/metrics')
    const text = await response.text()
    expect(text).not.toMatch(/canary|PROPFIND/)
    expect(parseMetrics(text).labels('cms_http_requests_total', 'method')).toContain('other')
  })

  test('only callers on this machine that no proxy passed on', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await ask('/metrics', { headers: { [name]: '127.0.0.1' } })).toBe(404)
    expect(await ask('/metrics', { method: 'POST' })).toBe(404)
    expect(await ask('/metrics', { method: 'HEAD' })).toBe(200)
  })
})

test('with a token, whoever has it', async () => {
  const token = 'the-token-of-the-scraper'
  await using cms = await createCms(configOf({ token }), { env: {}, testing: true })
  const statusOf = async (authorization?: string): Promise<number> => {
    const headers: Record<string, string> = { 'x-forwarded-for': '192.0.2.1' }
    if (authorization !== undefined) headers['authorization'] = authorization
    return (await cms.fetch('/metrics', { headers })).status
  }
  expect(await statusOf()).toBe(404)
  expect(await statusOf(`Bearer ${token}x`)).toBe(404)
  expect(await statusOf(`Basic ${token}`)).toBe(404)
  expect(await statusOf(`Bearer ${token}`)).toBe(200)
})

test('there is no such path unless it is asked for, and a short token is refused', async () => {
  await using cms = await createCms(configOf(false), { env: {}, testing: true })
  expect((await cms.fetch('/metrics')).status).toBe(404)
  await expect(createCms(configOf({ token: 'short' }), { env: {} })).rejects.toThrow(
    'a token has 16 to 1024 characters',
  )
})
