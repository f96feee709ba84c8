// `server.log.requests`: what a line says, and that there is none unless it was asked for.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const TOKEN = 'a-token-of-forty-characters-for-the-test'

const configOf = (log: object) => ({
  server: { log },
  contentTypes: {
    article: { attributes: { title: 'string' } },
  },
  auth: {
    users: [{ username: 'ann', email: 'ann@example.com', password: 'secret-of-ann', role: 'authenticated' }],
    apiTokens: [{ name: 'front-end', type: 'full-access', token: TOKEN }],
    roles: {
      public: { permissions: ['article.find', 'plugin::users-permissions.auth.callback'] },
      authenticated: { permissions: ['article.find'] },
    },
  },
  plugins: { 'users-permissions': true, graphql: true },
  data: { article: [{ title: 'Hello' }] },
})

type Line = Readonly<Record<string, unknown>>

async function open(log: object): Promise<{ cms: Cms; lines: Line[] }> {
  const lines: Line[] = []
  const cms = await createCms(configOf(log), {
    env: {},
    log: (line) => {
      const read = JSON.parse(line) as Line
      if (read['message'] === 'request') lines.push(read)
    },
  })
  return { cms, lines }
}

let cms: Cms
let lines: Line[]
beforeAll(async () => {
  ;({ cms, lines } = await open({ level: 'debug', requests: true }))
})
afterAll(() => cms.close())

async function lineOf(path: string, init?: RequestInit): Promise<Line> {
  lines.length = 0
  const response = await cms.fetch(path, init)
  await response.arrayBuffer()
  expect(lines).toHaveLength(1)
  return lines[0] ?? {}
}

test('a request without a token', async () => {
  const path = '/api/articles?sort=title&filters[title][$eq]=Hello'
  // The first question of its kind also reads how much content there is.
  await cms.fetch(path)
  const line = await lineOf(path, {
    headers: { 'x-request-id': 'mine' },
  })
  expect(line).toEqual({
    level: 30,
    time: expect.any(Number),
    method: 'GET',
    path: '/api/articles',
    query: 'sort=title&filters[title][$eq]=…',
    route: '/api/articles',
    status: 200,
    bytes: expect.any(Number),
    ms: expect.any(Number),
    role: 'public',
    statements: 1,
    requestId: 'mine',
    message: 'request',
  })
})

test('the caller, in every way there is', async () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  expect(await lineOf('/api/articles', bearer(TOKEN))).toMatchObject({ status: 200, token: 'front-end' })
  const login = await cms.fetch('/api/auth/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ann', password: 'secret-of-ann' }),
  })
  const { jwt } = (await login.json()) as { jwt: string }
  expect(await lineOf('/api/articles', bearer(jwt))).toMatchObject({
    status: 200,
    role: 'authenticated',
    user: 1,
  })
  const refused = await lineOf('/api/articles', bearer('wrong'))
  expect(refused).toMatchObject({ status: 401 })
  expect(refused).not.toHaveProperty('role')
  expect(refused).not.toHaveProperty('token')
})

test('GraphQL, with its caller and its statements', async () => {
  const line = await lineOf('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ query: '{ articles { data { id } } }' }),
  })
  expect(line).toMatchObject({ method: 'POST', path: '/graphql', status: 200, token: 'front-end' })
  expect(line['statements']).toBeGreaterThan(0)
})

test('writes are counted, and requests beside each other apart', async () => {
  lines.length = 0
  const write = (title: string) =>
    cms.fetch('/api/articles', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ data: { title } }),
    })
  // A page that is not full tells its total.
  const list = () => cms.fetch('/api/articles?filters[title][$contains]=x')
  await Promise.all([write('a'), cms.fetch('/nowhere'), write('b'), list()])
  const counts = (path: string, method: string) =>
    lines
      .filter((line) => line['path'] === path && line['method'] === method)
      .map(({ statements }) => statements)
  const [first, second] = counts('/api/articles', 'POST')
  expect(first).toBeGreaterThan(0)
  expect(second).toBe(first)
  expect(counts('/nowhere', 'GET')).toEqual([0])
  expect(counts('/api/articles', 'GET')).toEqual([1])
})

test('probes that succeed are left out', async () => {
  lines.length = 0
  await cms.fetch('/_health')
  await cms.fetch('/_ready')
  expect(lines).toEqual([])
})

test('statements are counted at level debug only', async () => {
  const info = await open({ requests: true })
  await info.cms.fetch('/api/articles')
  expect(info.lines).toHaveLength(1)
  expect(info.lines[0]).not.toHaveProperty('statements')
  await info.cms.close()
})

test.each([{}, { level: 'debug' }, { requests: false }, { requests: true, level: 'warn' }])(
  'not a line with %o',
  async (log) => {
    const quiet = await open(log)
    await quiet.cms.fetch('/api/articles')
    await quiet.cms.fetch('/nowhere')
    expect(quiet.lines).toEqual([])
    await quiet.cms.close()
  },
)
