// Code around every request (`server.middlewares`), around every document (`strapi.documents.use`), and the request that code runs for.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, ConfigError, createCms } from '../../src/index.ts'

let cms: Cms | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-requests-'))
})

afterEach(async () => {
  await cms?.close()
  cms = undefined
  await rm(folder, { recursive: true })
})

type Files = Readonly<Record<string, string>>

async function open(files: Files, config: object = {}): Promise<Cms> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const text = JSON.stringify({
    dialect: 'strapi-5',
    plugins: { 'users-permissions': true, graphql: true },
    contentTypes: {
      note: { draftAndPublish: true, attributes: { title: 'string', owner: 'string', by: 'string' } },
      page: { kind: 'singleType', attributes: { title: 'string' } },
    },
    auth: {
      roles: {
        public: { permissions: ['note.*', 'note.unpublish', 'note.createMany', 'page.*'] },
        authenticated: { permissions: ['note.*'] },
      },
    },
    data: {
      note: [
        { title: 'mine', owner: 'x' },
        { title: 'other', owner: 'y' },
      ],
    },
    ...config,
  })
  await writeFile(join(folder, 'cms.yaml'), text)
  cms = await createCms(join(folder, 'cms.yaml'))
  return cms
}

async function ask(path: string, init: RequestInit & { json?: object } = {}) {
  const { json, ...rest } = init
  const given = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
  const headers = { 'content-type': 'application/json', ...init.headers }
  const response = await (cms as Cms).fetch(path, { ...given, ...rest, headers })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

const titles = ({ body }: { body: { data: { title: string }[] } }) => body.data.map(({ title }) => title)

describe('server.middlewares', () => {
  const server = { middlewares: ['outer', { name: './inner.js', options: { header: 'x-inner' } }] }
  const middlewares = { outer: './outer.js' }
  const OUTER = `module.exports = () => async (ctx, next) => {
    if (ctx.get('x-key') === 'wrong') return ctx.unauthorized('wrong key')
    await next()
    ctx.set('x-outer', ctx.method + ' ' + ctx.status + ' ' + (ctx.response?.get?.('x-inner') ?? ''))
  }`
  const INNER = `module.exports = ({ header }) => async (ctx, next) => {
    if (ctx.path.startsWith('/v1/')) ctx.url = '/api/' + ctx.url.slice(4)
    if (ctx.path === '/api/notes' && ctx.method === 'GET') ctx.query.filters = { ...ctx.query.filters, owner: 'x' }
    ctx.set(header, 'yes')
    return next()
  }`

  test('run in order around REST, GraphQL, routes of plugins and the operations of a batch', async () => {
    await open({ 'outer.js': OUTER, 'inner.js': INNER }, { server, middlewares })
    const list = await ask('/api/notes')
    expect(titles(list)).toEqual(['mine'])
    expect([list.headers.get('x-inner'), list.headers.get('x-outer')?.trim()]).toEqual(['yes', 'GET 200'])
    expect(await ask('/api/notes', { headers: { 'x-key': 'wrong' } })).toMatchObject({
      status: 401,
      body: { error: { name: 'UnauthorizedError', message: 'wrong key' } },
    })
    const query = { query: '{ notes { title } }' }
    expect((await ask('/graphql', { json: query })).headers.get('x-inner')).toBe('yes')
    expect((await ask('/graphql', { json: query, headers: { 'x-key': 'wrong' } })).status).toBe(401)
    const login = { identifier: 'a', password: 'b' }
    expect((await ask('/api/auth/local', { json: login, headers: { 'x-key': 'wrong' } })).status).toBe(401)
    const batch = await ask('/api/_batch', { json: { operations: [{ operation: 'note.find' }] } })
    expect(titles({ body: batch.body.data[0] })).toEqual(['mine'])
  })

  test('may move a request to another route, whose own middlewares keep the filters', async () => {
    const config = { find: { middlewares: ['./titled.js'] } }
    const TITLED = `module.exports = (ctx, next) => { ctx.query.filters = { ...ctx.query.filters, title: { $ne: 'second' } }; return next() }`
    await open(
      { 'outer.js': OUTER, 'inner.js': INNER, 'titled.js': TITLED },
      {
        server,
        middlewares,
        contentTypes: { note: { attributes: { title: 'string', owner: 'string' }, rest: { config } } },
        auth: { roles: { public: { permissions: ['note.find'] } } },
        data: {
          note: ['first', 'second', 'third'].map((title, i) => ({ title, owner: i === 2 ? 'y' : 'x' })),
        },
      },
    )
    expect(titles(await ask('/v1/notes'))).toEqual(['first'])
    expect((await ask('/v1/nothing')).status).toBe(404)
  })

  test('a batch counts as one request', async () => {
    const rate = { per: 'address', max: 2, interval: '1h' }
    const server = { middlewares: ['./pass.js'], limits: { rate } }
    await open({ 'pass.js': 'module.exports = (ctx, next) => next()' }, { server })
    const find = (count: number) => ({ operations: Array(count).fill({ operation: 'note.find' }) })
    expect((await ask('/api/_batch', { json: find(5) })).status).toBe(200)
    expect((await ask('/api/_batch', { json: find(5) })).status).toBe(200)
    expect((await ask('/api/_batch', { json: find(1) })).status).toBe(429)
  })

  test('an unknown name is an error of the file', async () => {
    await expect(open({}, { server: { middlewares: ['gone'] } })).rejects.toThrow(ConfigError)
  })
})

describe('strapi.requestContext', () => {
  const LIFE = `module.exports = { beforeCreate(event) {
    const ctx = strapi.requestContext.get()
    event.params.data.by = ctx === undefined ? 'nobody' : [ctx.method, ctx.path, ctx.state.user?.username ?? 'public'].join(' ')
  } }`
  const INDEX = `module.exports = { async bootstrap({ strapi }) {
    await strapi.documents('api::note.note').create({ data: { title: 'boot' } })
  } }`
  const contentTypes = {
    note: { draftAndPublish: true, attributes: { title: 'string', by: 'string' }, lifecycles: './life.js' },
  }

  const auth = { roles: { public: { permissions: ['note.*'] }, authenticated: { permissions: ['note.*'] } } }

  test('is the request of a hook, whichever API wrote', async () => {
    await open(
      { 'life.js': LIFE, 'index.js': INDEX },
      { contentTypes, auth, data: {}, extensions: './index.js' },
    )
    const [boot] = await (cms as Cms).entries('note').findMany({ status: 'draft' })
    expect(boot?.['by']).toBe('nobody')
    const user = { username: 'ann', email: 'ann@example.com', password: 'secret-123' }
    const { jwt } = (await ask('/api/auth/local/register', { json: user })).body
    const made = await ask('/api/notes', {
      json: { data: { title: 'a' } },
      headers: { authorization: `Bearer ${jwt}` },
    })
    expect(made.body.data.by).toBe('POST /api/notes ann')
    const mutation = { query: 'mutation { createNote(data: { title: "g" }) { by } }' }
    expect((await ask('/graphql', { json: mutation })).body.data.createNote.by).toBe('POST /graphql public')
  })
})

describe('strapi.documents.use', () => {
  const use = (body: string): Files => ({
    'index.js': `const seen = []
module.exports = { register({ strapi }) {
  globalThis.seenByTest = seen
  strapi.documents.use(async (context, next) => { ${body} })
} }`,
  })
  const extensions = './index.js'
  const seen = (): unknown[] => (globalThis as unknown as { seenByTest: unknown[] }).seenByTest.splice(0)

  test('sees every write of REST, GraphQL and code, and its result', async () => {
    await open(
      use(`const { action, uid, contentType, params } = context
  if (action.startsWith('find')) return next()
  const given = JSON.stringify(params.data)
  const result = await next()
  seen.push([uid, action, given, contentType.kind, result.documentId === undefined ? 'none' : 'document', result.entries?.length, params.status])
  return result`),
      { extensions },
    )
    const made = await ask('/api/notes', { json: { data: { title: 'a' } } })
    const path = `/api/notes/${made.body.data.documentId}`
    await ask(path, { method: 'PUT', body: '{"data":{"title":"b"}}' })
    await ask(`${path}/actions/unpublish`, { method: 'POST' })
    await ask(path, { method: 'DELETE' })
    await ask('/api/page', { method: 'PUT', body: '{"data":{"title":"p"}}' })
    await ask('/api/page', { method: 'PUT', body: '{"data":{"title":"q"}}' })
    await ask('/graphql', { json: { query: 'mutation { createNote(data: { title: "g" }) { title } }' } })
    await (cms as Cms).entries('note').create({ title: 'e' })
    const note = 'api::note.note'
    const row = (
      action: string,
      data: object | undefined,
      count?: number,
      status: string | undefined = 'published',
    ) => [note, action, data && JSON.stringify(data), 'collectionType', 'document', count, status]
    const single = (action: string, title: string) => [
      'api::page.page',
      action,
      JSON.stringify({ title }),
      'singleType',
      'document',
      undefined,
      'published',
    ]
    expect(seen()).toEqual([
      row('create', { title: 'a' }),
      row('update', { title: 'b' }),
      row('unpublish', undefined, 1),
      row('delete', undefined, 1),
      single('create', 'p'),
      single('update', 'q'),
      row('create', { title: 'g' }),
      row('create', { title: 'e' }),
    ])
  })

  test('changes data, refuses, and is not passed by items of a list', async () => {
    await open(
      use(`const { action, params } = context
  if (action !== 'create') return next()
  if (params.data.title === 'bad') throw new (require('@strapi/utils').errors.ValidationError)('no such title')
  if (params.data.title === 'kept') return
  params.data.by = 'code'
  return next()`),
      { extensions },
    )
    expect((await ask('/api/notes', { json: { data: { title: 'a', by: 'me' } } })).body.data.by).toBe('code')
    const bad = { data: { title: 'bad' } }
    expect(await ask('/api/notes', { json: bad })).toMatchObject({
      status: 400,
      body: { error: { message: 'no such title' } },
    })
    expect((await ask('/api/notes', { json: { data: { title: 'kept' } } })).status).toBe(403)
    expect((await ask('/api/notes/actions/create-many', { json: { data: [bad.data] } })).status).toBe(400)
    expect(await (cms as Cms).entries('note').count()).toBe(3)
  })

  test('filters and changes reads of REST and of code, and numbers about them', async () => {
    await open(
      use(`const { action, uid, params } = context
  if (uid !== 'api::note.note' || !['findMany', 'findOne', 'findFirst', 'count'].includes(action)) return next()
  seen.push([action, params.documentId === undefined ? 'list' : 'one'])
  if (action !== 'findOne') params.filters = { $and: [params.filters ?? {}, { owner: 'x' }] }
  const found = await next()
  if (action === 'findOne' && found?.owner === 'y') return null
  if (Array.isArray(found)) for (const one of found) one.extra = action
  return found`),
      { extensions },
    )
    const list = await ask('/api/notes')
    expect(list.body).toMatchObject({
      data: [{ title: 'mine', extra: 'findMany' }],
      meta: { pagination: { total: 1 } },
    })
    expect(titles(await ask('/api/notes?filters[title]=other'))).toEqual([])
    expect((await ask('/api/notes/count')).body.data).toEqual({ count: 1 })
    const one = `/api/notes/${list.body.data[0].documentId}`
    expect((await ask(one)).body.data.title).toBe('mine')
    expect(seen()).toEqual([
      ['findMany', 'list'],
      ['findMany', 'list'],
      ['count', 'list'],
      ['findOne', 'one'],
    ])
    const [other] = await (cms as Cms).entries('note').findMany({ filters: { title: 'other' } })
    expect((await ask(`/api/notes/${other?.['documentId']}`)).status).toBe(404)
  })

  test('a value of its own does not show private attributes', async () => {
    await open(
      use(`if (context.action !== 'findMany') return next()
  return [{ title: 'made', secret: 'hidden', free: 1 }]`),
      {
        extensions,
        contentTypes: {
          note: { attributes: { title: 'string', secret: { type: 'string', private: true } } },
        },
        auth: { roles: { public: { permissions: ['note.find'] } } },
        data: {},
      },
    )
    expect((await ask('/api/notes')).body.data).toEqual([{ title: 'made', free: 1 }])
  })
})

test('a route of the author may stand at the path of the batch', async () => {
  const routes = [{ method: 'POST', path: '/_batch', handler: './own.js', auth: false }]
  await open({ 'own.js': "module.exports = (ctx) => { ctx.body = { by: 'the author' } }" }, { routes })
  expect((await ask('/api/_batch', { json: {} })).body).toEqual({ by: 'the author' })
})
