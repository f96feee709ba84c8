// Requests of an embedding program in somebody's name.

import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashApiToken } from '../../src/access/api-tokens.ts'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'

const config = {
  contentTypes: {
    order: { attributes: { note: 'string', user: 'user' } },
    article: { attributes: { title: 'string' } },
  },
  plugins: { graphql: true, 'users-permissions': { config: { jwtSecret: 'x1'.repeat(20) } } },
  auth: {
    roles: {
      public: { permissions: ['article.find', 'plugin::users-permissions.auth.callback'] },
      authenticated: {
        permissions: [{ 'order.*': { where: 'user == me', set: { user: 'me' } } }, 'article.find'],
      },
      editor: { permissions: ['article.*', 'order.find'] },
    },
    users: [
      { username: 'ann', email: 'ann@example.com', password: 'Passw0rd!ann', role: 'authenticated' },
      { username: 'bob', email: 'bob@example.com', password: 'Passw0rd!bob', role: 'authenticated' },
      { username: 'gone', email: 'gone@example.com', password: 'Passw0rd!gone', blocked: true },
    ],
    apiTokens: [
      { name: 'reader', type: 'read-only', token: 'the-text-of-a-token' },
      { name: 'hashed', type: 'full-access', tokenHash: hashApiToken('another-text') },
    ],
  },
  data: { order: [{ note: 'first', user: 'ann' }], article: [{ title: 'Hello' }] },
}

const open = (options: CmsOptions = {}): Promise<Cms> => createCms(config, { env: {}, ...options })

test('a token is signed where the test environment has replaced the global Uint8Array, as jsdom does', async () => {
  await using cms = await open({ testing: true })
  vi.stubGlobal('Uint8Array', runInNewContext('Uint8Array'))
  try {
    expect((await cms.as('ann')('/api/orders')).status).toBe(200)
  } finally {
    vi.unstubAllGlobals()
  }
})

describe('as', () => {
  let cms: Cms
  beforeAll(async () => {
    cms = await open({ testing: true })
  })
  afterAll(() => cms.close())

  const notes = async (response: Response): Promise<unknown> => {
    const { data } = (await response.json()) as { data: { attributes: { note: string } }[] }
    return data.map(({ attributes }) => attributes.note)
  }

  test('a user by name or e-mail address sees what the user sees', async () => {
    expect(await notes(await cms.as('ann')('/api/orders'))).toEqual(['first'])
    expect(await notes(await cms.as('ANN@example.com')('/api/orders'))).toEqual(['first'])
    expect(await notes(await cms.as('bob')('/api/orders'))).toEqual([])
    expect((await cms.fetch('/api/orders')).status).toBe(403)
  })

  test('a request keeps its method, headers and body', async () => {
    const created = await cms.as('bob')(
      new Request('http://localhost/api/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { note: 'of bob' } }),
      }),
    )
    expect(created.status).toBe(200)
    expect(await notes(await cms.as('bob')('/api/orders'))).toEqual(['of bob'])
    expect(await notes(await cms.as('ann')('/api/orders'))).toEqual(['first'])
  })

  test('a role without a user', async () => {
    expect(await notes(await cms.as({ role: 'editor' })('/api/orders?sort=id'))).toEqual(['first', 'of bob'])
    expect(await notes(await cms.as({ role: 'authenticated' })('/api/orders'))).toEqual([])
    expect((await cms.as({ role: 'public' })('/api/orders')).status).toBe(403)
    await expect(cms.as({ role: 'edtor' })('/api/orders')).rejects.toThrow('did you mean "editor"')
  })

  test('an API token by name, or any token by its text', async () => {
    expect((await cms.as({ token: 'reader' })('/api/orders')).status).toBe(200)
    expect((await cms.as({ token: 'the-text-of-a-token' })('/api/orders')).status).toBe(200)
    expect((await cms.as({ token: 'another-text' })('/api/orders')).status).toBe(200)
    await expect(cms.as({ token: 'hashed' })('/api/orders')).rejects.toThrow('has only the hash')
    expect((await cms.as({ token: 'unknown' })('/api/orders')).status).toBe(401)
  })

  test('a user who may not log in is refused as ever, and an unknown one is an error of the program', async () => {
    expect((await cms.as('gone')('/api/orders')).status).toBe(401)
    await expect(cms.as('amn')('/api/orders')).rejects.toThrow('as("amn"): there is no user')
  })

  test('graphql', async () => {
    const query =
      'query ($n: String) { orders(filters: { note: { eq: $n } }) { data { attributes { note } } } }'
    const asAnn = await cms.graphql(query, { n: 'first' }, { as: 'ann' })
    expect(asAnn).toEqual({ data: { orders: { data: [{ attributes: { note: 'first' } }] } } })
    const asBob = await cms.graphql(query, { n: 'first' }, { as: 'bob' })
    expect(asBob).toEqual({ data: { orders: { data: [] } } })
    const asNobody = await cms.graphql(query)
    expect(asNobody.errors?.[0]?.message).toBe('Forbidden access')
  })
})

describe('testing', () => {
  test('a login is cheap, is not limited, and the hash still protects against a wrong password', async () => {
    await using cms = await open({ testing: true })
    const login = (password: string): Promise<Response> =>
      cms.fetch('/api/auth/local', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: 'ann', password }),
      })
    for (let tries = 0; tries < 20; tries++) expect((await login('wrong')).status).toBe(400)
    expect((await login('Passw0rd!ann')).status).toBe(200)
  })

  test('logins are limited where the file says so, with it and without', async () => {
    const limited = {
      ...config,
      plugins: {
        'users-permissions': { config: { jwtSecret: 'x1'.repeat(20), ratelimit: { enabled: true } } },
      },
    }
    const wrong = [400, 400, 400, 400, 400]
    for (const [source, options, last] of [
      [config, {}, 400],
      [limited, {}, 429],
      [limited, { testing: true }, 429],
    ] as const) {
      await using cms = await createCms(source, { env: {}, ...options })
      const statuses: number[] = []
      for (let tries = 0; tries < 6; tries++) {
        const response = await cms.fetch('/api/auth/local', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ identifier: 'ann', password: 'wrong' }),
        })
        statuses.push(response.status)
      }
      expect(statuses).toEqual([...wrong, last])
    }
  })

  test('is refused in production', async () => {
    const production = { ...config, server: { environment: 'production' } }
    await expect(createCms(production, { env: {}, testing: true })).rejects.toThrow(TypeError)
  })
})

describe('the clock', () => {
  test('is the program’s, and can be put forward', async () => {
    await using cms = await open({ clock: () => new Date('2030-05-01T10:00:00Z'), testing: true })
    const titled = async (title: string): Promise<unknown> =>
      (await cms.entries('article').create({ title })).createdAt
    expect(await titled('a')).toBe('2030-05-01T10:00:00.000Z')
    cms.advance('3d')
    expect(await titled('b')).toBe('2030-05-04T10:00:00.000Z')
    cms.advance(1500)
    expect(await titled('c')).toBe('2030-05-04T10:00:01.500Z')
    expect(() => cms.advance('soon')).toThrow(RangeError)
  })

  test('tokens end by it', async () => {
    await using cms = await open({ testing: true })
    const response = await cms.fetch('/api/auth/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'ann', password: 'Passw0rd!ann' }),
    })
    const { jwt } = (await response.json()) as { jwt: string }
    const asAnn = cms.as({ token: jwt })
    expect((await asAnn('/api/orders')).status).toBe(200)
    cms.advance('31d')
    expect((await asAnn('/api/orders')).status).toBe(401)
    expect((await cms.as('ann')('/api/orders')).status).toBe(200)
  })
})
