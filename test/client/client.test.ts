// The client that `cms-run client` writes, over a socket and without one, against a server that is running.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient, ClientOptions } from '../../src/client/api-client.ts'
import type { ContentTypeShape, ToOne } from '../../src/client/content-shape.ts'
import { type Cms, createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'

const config = `
plugins:
  users-permissions: { config: { jwtSecret: "0123456789abcdef0123456789abcdef" } }
rest: { prefix: /v1 }
contentTypes:
  author: { attributes: { name: string } }
  home: { kind: singleType, attributes: { title: { type: string, required: true } } }
  article:
    options: { draftAndPublish: true }
    attributes:
      title: { type: string, required: true, maxLength: 20 }
      author: { type: relation, relation: manyToOne, target: api::author.author }
auth:
  roles:
    public: { permissions: [article.find, article.findOne, author.find, home.find, plugin::users-permissions.auth.callback, plugin::users-permissions.auth.register] }
    authenticated: { permissions: ['api::*', plugin::users-permissions.user.me] }
  users:
    - { username: ann, email: ann@example.com, password: secret-of-ann, role: authenticated, confirmed: true }
data:
  author: [{ $ref: ann, name: Ann }]
  article:
    - { title: "Fish & chips", author: $ann }
    - { title: Later, publishedAt: null, author: $ann }
`

interface ArticleShape extends ContentTypeShape {
  readonly fields: { readonly title: string }
  readonly members: { readonly author: ToOne<ContentTypeShape> }
  readonly actions: 'find' | 'findOne' | 'create' | 'update' | 'delete'
}
type AnyClient = ApiClient<{ articles: ArticleShape }, { home: ArticleShape }, { username: string }>
interface Made {
  readonly createClient: (options: ClientOptions) => AnyClient
  readonly ApiError: new () => Error & { status: number; details: object }
}

let folder: string
let cms: Cms
let made: Made
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cms-run-client-'))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, config)
  const { code, err } = await runCommand(['client', file, '--out', 'made/client.mjs'], { cwd: folder })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  made = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'made/client.mjs')).href)) as Made
  cms = await createCms(file, { env: {} })
  url = (await cms.listen(0, '127.0.0.1')).url
})
afterAll(async () => {
  await cms?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['over a socket', () => made.createClient({ url: `${url}/` })],
  [
    'without a network',
    () => made.createClient({ url: 'http://cms', fetch: (...call) => cms.fetch(...call) }),
  ],
] as const)('%s', (_name, open) => {
  test('lists with a question, and one entry', async () => {
    const articles = open().collection('articles')
    const found = await articles.find({
      filters: { title: { $contains: '& c' } },
      populate: ['author'],
      sort: 'title:desc',
      pagination: { start: 0, limit: 5 },
    })
    expect(found).toMatchObject({
      data: [{ attributes: { title: 'Fish & chips', author: { data: { attributes: { name: 'Ann' } } } } }],
      meta: { pagination: { start: 0, limit: 5, total: 1 } },
    })
    const id = found.data[0]?.id ?? 0
    expect(await articles.findOne(id, { fields: ['title'] })).toMatchObject({
      data: { id, attributes: { title: 'Fish & chips' } },
    })
  })

  test('a login opens what users may do; writes, and takes it back', async () => {
    const client = open()
    const articles = client.collection('articles')
    await expect(articles.create({ title: 'New' })).rejects.toMatchObject({
      status: 403,
      name: 'ForbiddenError',
    })
    const session = await client.login({ identifier: 'ann', password: 'secret-of-ann' })
    expect(client.token).toBe(session.jwt)
    expect(await client.me()).toMatchObject({ username: 'ann' })
    const { data } = await articles.create({ title: 'New', author: 1 }, { populate: '*' })
    expect(data).toMatchObject({ attributes: { title: 'New', author: { data: { id: 1 } } } })
    const changed = await articles.update(data.id, { title: 'Newer' })
    expect(changed).toMatchObject({ data: { attributes: { title: 'Newer' } } })
    expect(await articles.delete(data.id)).toMatchObject({ data: { id: data.id } })
    await expect(articles.findOne(data.id)).rejects.toMatchObject({ status: 404, name: 'NotFoundError' })
    client.token = undefined
    await expect(client.me()).rejects.toMatchObject({ status: 403 })
  })

  test('versions and keys of writes', async () => {
    const client = open()
    await client.login({ identifier: 'ann', password: 'secret-of-ann' })
    const articles = client.collection('articles')
    const key = `key-${Math.random()}`
    const created = await articles.create({ title: 'Once' }, {}, { idempotencyKey: key })
    const { id } = created.data
    expect((await articles.create({ title: 'Once' }, {}, { idempotencyKey: key })).data.id).toBe(id)
    const { version = 0 } = await articles.findOne(id)
    expect(version).toBe(1)
    const changed = await articles.update(id, { title: 'Twice' }, {}, { ifVersion: version })
    expect([changed.version, Object.keys(changed)]).toEqual([2, ['data', 'meta']])
    await expect(articles.update(id, { title: 'Lost' }, {}, { ifVersion: version })).rejects.toMatchObject({
      status: 412,
      details: { version: 2, attributes: ['title'] },
    })
    await expect(articles.delete(id, {}, { ifVersion: 1 })).rejects.toMatchObject({ status: 412 })
    await articles.delete(id, {}, { ifVersion: 2 })
  })

  test('a single type', async () => {
    const client = open()
    await client.login({ identifier: 'ann@example.com', password: 'secret-of-ann' })
    const home = client.single('home')
    await expect(home.find()).rejects.toMatchObject({ status: 404 })
    await home.update({ title: 'Welcome' })
    expect(await home.find()).toMatchObject({ data: { attributes: { title: 'Welcome' } } })
    await home.delete()
  })

  test('a registration is a login', async () => {
    const client = open()
    const username = `user${client.constructor.name}${Math.random()}`
    const { user } = await client.register({
      username,
      email: `${username}@example.com`,
      password: 'longenough',
    })
    expect(user).toMatchObject({ username })
    expect(await client.me()).toMatchObject({ username })
  })

  test('a refusal is an ApiError with the details of the server', async () => {
    const client = open()
    await client.login({ identifier: 'ann', password: 'secret-of-ann' })
    const refused = await client
      .collection('articles')
      .create({ title: 'x'.repeat(21) })
      .catch((error) => error)
    expect(refused).toBeInstanceOf(made.ApiError)
    expect(refused).toMatchObject({
      status: 400,
      name: 'ValidationError',
      message: 'title must be at most 20 characters',
      details: { errors: [{ path: ['title'] }] },
    })
  })

  test('a request that is given up', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(open().collection('articles').find({}, { signal })).rejects.toThrow('enough')
  })
})

describe('answers of others', () => {
  const answering = (status: number, text: string): AnyClient =>
    made.createClient({ url: 'http://elsewhere', fetch: async () => new Response(text, { status }) })

  test.each([
    [502, '<html>Bad gateway</html>', { status: 502, name: 'UnreadableAnswer' }],
    [200, 'hello', { status: 200, name: 'UnreadableAnswer' }],
    [404, '{"error":"contentType.notFound"}', { status: 404, name: 'Error', details: {} }],
    [500, '', { status: 500, name: 'Error' }],
    [400, 'null', { status: 400, name: 'Error' }],
  ])('%i %s', async (status, text, error) => {
    await expect(answering(status, text).request('GET', '/x')).rejects.toMatchObject(error)
  })

  test('nothing', async () => {
    const client = made.createClient({
      url: 'http://elsewhere',
      fetch: async () => new Response(null, { status: 204 }),
    })
    expect(await client.request('POST', '/x', { body: { a: 1 } })).toBeUndefined()
  })
})

test('it needs nothing from outside', () => {
  const text = readFileSync(join(folder, 'made/client.mjs'), 'utf8')
  expect(text).not.toMatch(/\b(?:import|require)\b/)
  expect(dirname(folder)).toBe(tmpdir())
})
