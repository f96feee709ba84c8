// `Idempotency-Key`: a repeated POST gets the response of the first, over each database and across processes.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openServerPlace, type ServerClient, serversHere } from '../support/servers.ts'

const servers = await serversHere()

let now = Date.parse('2030-01-01T00:00:00Z')

const config = {
  contentTypes: {
    article: { attributes: { title: { type: 'string', required: true }, body: 'text', slug: 'string' } },
  },
  plugins: {
    graphql: true,
    'users-permissions': { config: { jwtSecret: 'a secret of the tests' } },
  },
  auth: {
    roles: {
      public: { permissions: ['article.find', 'article.create', 'article.update'] },
      authenticated: { permissions: ['article.find', 'article.create'] },
    },
    apiTokens: [
      { name: 'one', type: 'custom', token: 'token-of-one-0123456789', permissions: ['article.create'] },
      { name: 'two', type: 'custom', token: 'token-of-two-0123456789', permissions: ['article.create'] },
    ],
  },
}

interface Stored {
  readonly first: Cms
  /** Another instance over the same content; the same one in memory. */
  readonly second: Cms
  close(): Promise<void>
}

const databases: Readonly<Record<string, () => Promise<Stored>>> = {
  async memory() {
    const cms = await createCms(config, { clock: () => new Date(now) })
    return { first: cms, second: cms, close: () => cms.close() }
  },
  async sqlite() {
    const filename = join(mkdtempSync(join(tmpdir(), 'cms-run-keys-')), 'cms.db')
    const cms = await createCms(
      { ...config, database: { client: 'sqlite', filename } },
      { clock: () => new Date(now) },
    )
    return { first: cms, second: cms, close: () => cms.close() }
  },
  postgres: () => openOn('postgres'),
  mysql: () => openOn('mysql'),
}

async function openOn(client: ServerClient): Promise<Stored> {
  const { database, drop } = await openServerPlace(client)
  const open = () => createCms({ ...config, database }, { clock: () => new Date(now) })
  const [first, second] = [await open(), await open()]
  return {
    first,
    second,
    async close() {
      await first.close()
      await second.close()
      await drop()
    },
  }
}

interface Outcome {
  readonly status: number
  readonly text: string
}

async function post(
  cms: Cms,
  key: string | undefined,
  body: unknown,
  { path = '/api/articles', token }: { readonly path?: string; readonly token?: string } = {},
): Promise<Outcome> {
  const response = await cms.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

async function count(cms: Cms, title: string): Promise<number> {
  return (await cms.entries('article').findMany({ filters: { title } })).length
}

describe.each(['memory', 'sqlite', ...servers] as const)('over %s', (name) => {
  let stored: Stored
  beforeAll(async () => {
    stored = await (databases[name] as () => Promise<Stored>)()
  })
  afterAll(() => stored.close())

  test('a repeated request gets the first response and writes once', async () => {
    const body = { data: { title: 'twice' } }
    const made = await post(stored.first, '"5e2c"', body)
    expect(made.status).toBe(200)
    expect(await post(stored.second, '"5e2c"', body)).toEqual(made)
    expect(await post(stored.first, '5e2c', body)).toEqual(made)
    expect(await count(stored.first, 'twice')).toBe(1)
  })

  test('without the key it writes each time', async () => {
    for (const _ of [1, 2]) await post(stored.first, undefined, { data: { title: 'plain' } })
    expect(await count(stored.first, 'plain')).toBe(2)
  })

  test('of many at once, one writes', async () => {
    const send = (cms: Cms) => post(cms, 'at-once', { data: { title: 'race' } })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(index % 2 === 0 ? stored.first : stored.second)),
    )
    expect(await count(stored.first, 'race')).toBe(1)
    expect(new Set(outcomes.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
    expect(outcomes.every(({ status }) => status === 200 || status === 409)).toBe(true)
  })

  test.each([
    ['another payload', { data: { title: 'other' } }, '/api/articles'],
    ['another query', { data: { title: 'fixed' } }, '/api/articles?fields=id'],
  ])('%s under the key is a 422', async (_, body, path) => {
    const key = `fixed ${path}`.replace(/\W/g, '-')
    await post(stored.first, key, { data: { title: 'fixed' } })
    const { status, text } = await post(stored.first, key, body, { path })
    expect({ status, error: JSON.parse(text).error.name }).toEqual({
      status: 422,
      error: 'UnprocessableContentError',
    })
    expect(await count(stored.first, 'other')).toBe(0)
  })

  test('a refused payload leaves the key free', async () => {
    expect((await post(stored.first, 'mend', { data: { body: 'no title' } })).status).toBe(400)
    expect((await post(stored.first, 'mend', { data: { title: 'mended' } })).status).toBe(200)
    expect(await count(stored.first, 'mended')).toBe(1)
  })

  test('each caller has its own keys', async () => {
    const body = { data: { title: 'shared key' } }
    const texts = [
      await post(stored.first, 'k', body),
      await post(stored.first, 'k', body, { token: 'token-of-one-0123456789' }),
      await post(stored.first, 'k', body, { token: 'token-of-two-0123456789' }),
    ].map(({ text }) => text)
    expect(new Set(texts).size).toBe(3)
    expect(await count(stored.first, 'shared key')).toBe(3)
  })

  test('a caller without the permission gets no stored response', async () => {
    const body = { data: { title: 'guarded' } }
    await post(stored.first, 'guarded', body)
    expect((await post(stored.first, 'guarded', body, { token: 'no token of ours' })).status).toBe(401)
  })

  test('a key ends after 24 hours', async () => {
    const body = { data: { title: 'daily' } }
    const first = await post(stored.first, 'daily', body)
    now += 24 * 3_600_000 - 1000
    expect(await post(stored.first, 'daily', body)).toEqual(first)
    now += 2000
    expect((await post(stored.first, 'daily', body)).text).not.toBe(first.text)
    expect(await count(stored.first, 'daily')).toBe(2)
  })

  test('a response of more than a million characters is not repeated', async () => {
    const body = { data: { title: 'long', body: 'x'.repeat(1_000_001) } }
    expect((await post(stored.first, 'long', body)).status).toBe(200)
    expect((await post(stored.first, 'long', body)).status).toBe(409)
    expect(await count(stored.first, 'long')).toBe(1)
  })

  test('a mutation of GraphQL is done once', async () => {
    const send = (title: string) =>
      post(
        stored.first,
        'mutation',
        {
          query: 'mutation($t: String!) { createArticle(data: { title: $t }) { data { id } } }',
          variables: { t: title },
        },
        { path: '/graphql' },
      )
    const first = await send('of graphql')
    expect(JSON.parse(first.text)).toHaveProperty('data.createArticle.data.id')
    expect(await send('of graphql')).toEqual(first)
    expect((await send('another')).status).toBe(422)
    expect(await count(stored.first, 'of graphql')).toBe(1)
  })

  test('tokens of logins are not stored', async () => {
    const query = 'mutation { login(input: { identifier: "a", password: "b" }) { jwt } }'
    const { status } = await post(stored.first, 'login', { query }, { path: '/graphql' })
    expect(status).toBe(400)
  })
})

describe('refused', () => {
  let cms: Cms
  beforeAll(async () => {
    cms = await createCms(config)
  })
  afterAll(() => cms.close())

  test.each([
    ['an empty key', ''],
    ['a key with a blank', 'a b'],
    ['a key of 256 characters', 'x'.repeat(256)],
    ['a quote within a key', 'a"b'],
  ])('%s', async (_, key) => {
    const { status } = await post(cms, key, { data: { title: 'key' } })
    expect(status).toBe(400)
    expect(await count(cms, 'key')).toBe(0)
  })

  test('a form', async () => {
    const form = new FormData()
    form.set('data', '{"title":"form"}')
    const response = await cms.fetch('/api/articles', {
      method: 'POST',
      headers: { 'idempotency-key': 'form' },
      body: form,
    })
    expect(response.status).toBe(400)
    expect(await count(cms, 'form')).toBe(0)
  })

  test('a PUT ignores the key', async () => {
    const { id } = await cms.entries('article').create({ title: 'put' })
    const send = (title: string) =>
      cms.fetch(`/api/articles/${id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'put' },
        body: JSON.stringify({ data: { title } }),
      })
    expect((await send('one')).status).toBe(200)
    expect((await send('two')).status).toBe(200)
  })

  test('an error of the server keeps the key: the write may have been done', async () => {
    let fails = true
    await using failing = await createCms(config, {
      lifecycles: {
        article: {
          afterCreate() {
            if (fails) throw new Error('broken')
          },
        },
      },
    })
    const body = { data: { title: 'unknown' } }
    expect((await post(failing, 'unknown', body)).status).toBe(500)
    fails = false
    expect((await post(failing, 'unknown', body)).status).toBe(409)
    expect((await post(failing, 'new', body)).status).toBe(200)
  })
})
