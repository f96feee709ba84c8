// Controllers, services and routes of Strapi's form: handlers of generated actions and of routes of their own.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, ConfigError, createCms } from '../../src/index.ts'

let cms: Cms | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-controllers-'))
})

afterEach(async () => {
  await cms?.close()
  cms = undefined
  await rm(folder, { recursive: true })
})

const controller = (body: string): string =>
  `const { createCoreController } = require('@strapi/strapi').factories
module.exports = createCoreController('api::order.order', ({ strapi }) => (${body}))`

interface Order {
  readonly dialect?: 'strapi-4' | 'strapi-5'
  /** Of `order.js`. */
  readonly code: string
  readonly files?: Readonly<Record<string, string>>
  readonly handlers?: Readonly<Record<string, string>>
  readonly routes?: readonly object[]
  readonly services?: Readonly<Record<string, string>>
  readonly permissions?: readonly (string | object)[]
  readonly extensions?: string
}

async function open({
  dialect = 'strapi-4',
  code,
  files = {},
  handlers = {},
  routes = [],
  services = {},
  permissions = ['order.find', 'order.findOne', 'order.create'],
  extensions,
}: Order): Promise<void> {
  const config = Object.fromEntries(
    Object.entries(handlers).map(([action, handler]) => [action, { handler }]),
  )
  const text = JSON.stringify({
    dialect,
    plugins: { 'users-permissions': true, graphql: true, upload: true },
    components: {
      'shared.line': { attributes: { text: 'string', note: { type: 'string', private: true } } },
    },
    contentTypes: {
      order: {
        attributes: {
          title: 'string',
          total: 'integer',
          secret: { type: 'string', private: true },
          code: 'password',
          item: { type: 'relation', relation: 'manyToOne', target: 'api::item.item' },
          maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker' },
          lines: { type: 'component', component: 'shared.line', repeatable: true },
          parts: { type: 'dynamiczone', components: ['shared.line'] },
        },
        rest: { config },
      },
      item: { attributes: { name: 'string' } },
      maker: { attributes: { name: 'string' } },
      cart: {
        attributes: { orders: { type: 'relation', relation: 'oneToMany', target: 'api::order.order' } },
      },
    },
    services,
    routes,
    ...(extensions !== undefined && { extensions }),
    auth: { roles: { public: { permissions: ['item.find', 'cart.create', ...permissions] } } },
    data: {
      item: [{ id: 1, name: 'Hat' }],
      maker: [{ id: 1, name: 'Ada' }],
      order: [{ id: 1, title: 'a', total: 1, secret: 's', item: 1, maker: 1, lines: [{ text: 'l' }] }],
    },
  })
  for (const [name, content] of Object.entries({ 'cms.yaml': text, 'order.js': code, ...files }))
    await writeFile(join(folder, name), content)
  cms = await createCms(join(folder, 'cms.yaml'), { env: { JWT_SECRET: 'x' } })
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

async function ask(path: string, body?: unknown): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await cms?.fetch(path, init)
  return { status: response?.status ?? 0, body: await response?.json().catch(() => undefined) }
}

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const entry = (attributes: object) => (dialect === 'strapi-4' ? { attributes } : attributes)
  const related = (attributes: object) =>
    dialect === 'strapi-4' ? { data: entry(attributes) } : entry(attributes)

  test('an action changes the payload and the response around super', async () => {
    await open({
      dialect,
      code: controller(`{
        async create(ctx) {
          ctx.request.body.data.total = 42
          const response = await super.create(ctx)
          response.meta.by = strapi.contentType('api::order.order').kind
          return response
        },
        async find(ctx) {
          ctx.query = { ...ctx.query, populate: 'item' }
          const { data, meta } = await super.find(ctx)
          return { data, meta: { ...meta, seen: data.length } }
        },
      }`),
      handlers: { create: './order.js#create', find: './order.js#find' },
    })
    const made = await ask('/api/orders', { data: { title: 'new', total: 7 } })
    expect(made.status).toBe(dialect === 'strapi-4' ? 200 : 201)
    expect(made.body).toMatchObject({ data: entry({ total: 42 }), meta: { by: 'collectionType' } })
    expect((await ask('/api/orders?sort=id')).body).toMatchObject({
      data: [entry({ title: 'a', item: related({ name: 'Hat' }) }), entry({ title: 'new' })],
      meta: { seen: 2, pagination: { total: 2 } },
    })
    expect((await ask('/api/orders?filters[secret]=s')).status).toBe(400)
  })

  test('an action of its own reads through a service, and cleans and forms its response', async () => {
    await open({
      dialect,
      code: controller(`{
        async mine(ctx) {
          const query = await this.sanitizeQuery(ctx)
          const { results, pagination } = await strapi.service('api::order.order').find({ ...query, populate: '*' })
          const clean = await this.sanitizeOutput(results, ctx)
          return this.transformResponse(clean, { pagination })
        },
      }`),
      files: {
        'service.js': `const { createCoreService } = require('@strapi/strapi').factories
module.exports = createCoreService('api::order.order', ({ strapi }) => ({
  async find(query) { return super.find({ ...query, filters: { ...query.filters, total: { $gt: 0 } } }) },
}))`,
      },
      services: { 'api::order.order': './service.js' },
      routes: [{ path: '/orders/mine', handler: './order.js#mine', permission: 'order.mine' }],
      permissions: ['order.mine'],
    })
    const { status, body } = await ask('/api/orders/mine?fields[0]=title')
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      data: [entry({ title: 'a', lines: [{ text: 'l' }], parts: [], item: related({ name: 'Hat' }) })],
      meta: { pagination: { total: 1 } },
    })
    expect(JSON.stringify(body)).not.toMatch(/secret|maker|note/)
    expect((await ask('/api/orders/mine?filters[secret]=s')).status).toBe(400)
  })
})

describe.each(['strapi-4', 'strapi-5'] as const)(
  'a service answers generated actions itself: %s',
  (dialect) => {
    const entry = (attributes: object) => (dialect === 'strapi-4' ? { attributes } : attributes)
    const files = {
      'service.js': `const { createCoreService } = require('@strapi/strapi').factories
module.exports = createCoreService('api::order.order', () => ({
  async find(params) {
    const { results, pagination } = await super.find({ ...params, populate: '*' })
    return { results: results.map((one) => ({ ...one, title: one.title + '!' })), pagination }
  },
  async findOne(id) { return id === 'none' ? null : { id: 1, title: 'one', secret: 's' } },
  async create({ data, ...params }) { return super.create({ ...params, data: { ...data, total: 42 } }) },
}))`,
    }
    const services = { 'api::order.order': './service.js' }

    test('and so does the core controller', async () => {
      await open({
        dialect,
        code: controller(
          '{ async find(ctx) { const found = await super.find(ctx); return { ...found, own: true } } }',
        ),
        handlers: { find: './order.js#find' },
        files,
        services,
      })
      expect((await ask('/api/orders?filters[title]=a')).body).toMatchObject({
        data: [entry({ title: 'a!' })],
        meta: { pagination: { total: 1 } },
        own: true,
      })
      const one = await ask('/api/orders/1')
      expect(one.body).toMatchObject({ data: entry({ title: 'one' }) })
      expect(JSON.stringify(one.body)).not.toContain('secret')
      expect((await ask('/api/orders/none')).status).toBe(404)
      const made = await ask('/api/orders', { data: { title: 'new', total: 1 } })
      expect(made.status).toBe(dialect === 'strapi-4' ? 200 : 201)
      expect(made.body).toMatchObject({ data: entry({ total: 42 }) })
      expect((await ask('/api/orders', { title: 'new' })).status).toBe(400)
    })

    test('but not for callers whose permission has a rule', async () => {
      await open({
        dialect,
        code: controller('{}'),
        files,
        services,
        permissions: [{ 'order.find': { where: 'total > 5' } }, { 'order.findOne': { fields: ['title'] } }],
      })
      expect((await ask('/api/orders')).status).toBe(403)
      expect((await ask('/api/orders/1')).status).toBe(403)
    })

    test('and neither numbers nor nested creations pass by', async () => {
      await open({ dialect, code: controller('{}'), files, services })
      expect((await ask('/api/orders/count')).status).toBe(403)
      const cart = { orders: { create: [{ title: 'c' }] } }
      expect((await ask('/api/carts', { data: cart })).status).toBe(403)
    })
  },
)

test('a permission of a route is needed, and stands in the matrix of roles', async () => {
  const routes = [{ path: '/orders/mine', handler: './order.js#mine', permission: 'order.mine' }]
  await open({ code: controller('{ mine: () => ({ ok: true }) }'), routes, permissions: [] })
  expect((await ask('/api/orders/mine')).status).toBe(403)
  await cms?.close()
  await open({ code: controller('{ mine: () => ({ ok: true }) }'), routes, permissions: ['order.*'] })
  expect(await ask('/api/orders/mine')).toEqual({ status: 200, body: { ok: true } })
})

test('a permission of no route is refused', async () => {
  await expect(open({ code: controller('{}'), permissions: ['order.mine'] })).rejects.toThrow(/order\.mine/)
})

test('code that answers a list answers for its numbers, too', async () => {
  await open({
    code: controller(
      '{ async find(ctx) { const { meta } = await super.find(ctx); return { data: [], meta } } }',
    ),
    handlers: { find: './order.js#find' },
  })
  expect((await ask('/api/orders')).body).toMatchObject({ data: [] })
  expect((await ask('/api/orders/count')).status).toBe(403)
  expect((await ask('/api/orders/aggregate?aggregate[count]=*')).status).toBe(403)
  expect((await ask('/api/orders/1')).status).toBe(200)
})

test('code that answers a creation runs in a batch, and is not passed by a nested creation', async () => {
  await open({
    code: controller('{ async create(ctx) { ctx.request.body.data.total = 42; return super.create(ctx) } }'),
    handlers: { create: './order.js#create' },
  })
  const operations = [{ operation: 'order.create', data: { title: 'b', total: 1 } }]
  expect((await ask('/api/_batch', { operations })).body).toMatchObject({
    data: [{ data: { attributes: { total: 42 } } }],
  })
  expect((await ask('/api/carts', { data: { orders: { create: [{ title: 'c', total: 1 }] } } })).status).toBe(
    403,
  )
})

test.each([
  [
    'an object, whose actions share this',
    'module.exports = { name: "x", mine() { return { name: this.name } } }',
  ],
  ['a function', 'module.exports = ({ strapi }) => ({ mine: () => ({ name: strapi ? "x" : "" }) })'],
  ['exports of a module', 'export function mine() { return { name: "x" } }'],
  ['an export beside a default', 'export function mine() { return { name: "x" } }\nexport default () => "y"'],
  ['a class', 'class Own { mine() { return { name: "x" } } }\nmodule.exports = new Own()'],
])('a controller is %s', async (_name, code) => {
  await open({ code, routes: [{ path: '/mine', handler: './order.js#mine', auth: false }] })
  expect((await ask('/api/mine')).body).toEqual({ name: 'x' })
})

test.each([
  ['send', 'ctx.send({ sent: true }, 202)', 202, { sent: true }],
  ['created', 'ctx.created({ made: true })', 201, { made: true }],
  [
    'conflict',
    'ctx.conflict("taken", { by: 1 })',
    409,
    { name: 'ConflictError', message: 'taken', details: { by: 1 } },
  ],
  ['tooManyRequests', 'ctx.tooManyRequests()', 429, { message: 'Too Many Requests' }],
  ['throw', 'ctx.throw(404, "no such order")', 404, { name: 'NotFoundError', message: 'no such order' }],
  ['a fault', 'ctx.nothing.at.all', 500, { name: 'InternalServerError' }],
])('%s of ctx', async (_name, code, status, expected) => {
  await open({
    code: `module.exports = { mine(ctx) { ${code} } }`,
    routes: [{ path: '/mine', handler: './order.js#mine', auth: false }],
  })
  const answer = await ask('/api/mine')
  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject(status < 400 ? expected : { error: expected })
})

test.each([
  [
    'an action that the controller has not',
    controller('{ other() {} }'),
    /exports no "mine".*no controller that has it/,
  ],
  [
    'a controller that fails',
    controller('strapi.nothing'),
    /could not be created.*strapi\.nothing is not there/,
  ],
  [
    'a core of another type',
    controller('{}').replace('order.order', 'gone.gone'),
    /no content-type "api::gone\.gone"/,
  ],
  ['a file without exports', 'const x = 1', /exports no "mine"/],
])('%s is refused at the start', async (_name, code, message) => {
  const opened = open({ code, routes: [{ path: '/mine', handler: './order.js#mine' }] })
  const error = await opened.catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String((error as Error).message).replaceAll('\n', ' ')).toMatch(message)
})

test('services use each other by uid', async () => {
  await open({
    code: controller(`{ mine: () => ({ text: strapi.service('api::order.mail').send('x') }) }`),
    files: {
      'mail.js': `module.exports = ({ strapi }) => ({ send: (to) => strapi.service('api::order.text').to(to) })`,
      'text.ts': "export default () => ({ to: (name: string) => 'to ' + name })",
    },
    services: { 'api::order.mail': './mail.js', 'api::order.text': './text.ts' },
    routes: [{ path: '/mine', handler: './order.js#mine', auth: false }],
  })
  expect((await ask('/api/mine')).body).toEqual({ text: 'to x' })
})

test('a route names the action and its API in ctx.state.route', async () => {
  await open({
    code: 'module.exports = { mine: ({ state }) => state.route }',
    routes: [{ path: '/orders/:id/mine', handler: './order.js#mine', permission: 'order.mine' }],
    permissions: ['order.mine'],
  })
  expect((await ask('/api/orders/1/mine')).body).toMatchObject({
    path: '/api/orders/:id/mine',
    handler: 'api::order.order.mine',
    info: { apiName: 'order' },
  })
})

test('tokens and users of users-permissions', async () => {
  await open({
    code: `module.exports = {
  async join(ctx) {
    const { user, jwt } = strapi.plugins['users-permissions'].services
    const given = ctx.request.body
    const made = await user.add({ ...given, provider: 'local', confirmed: true, role: 1 })
    ctx.send({ jwt: strapi.plugin('users-permissions').service('jwt').issue({ id: made.id }), id: made.id })
  },
  async me(ctx) {
    const { user, jwt } = strapi.plugins['users-permissions'].services
    const token = await jwt.getToken(ctx)
    if (token === null) return ctx.unauthorized()
    const { id } = await jwt.verify(ctx.headers.authorization.slice(7))
    const found = await user.fetchAuthenticatedUser(token.id)
    return { id, name: found.username, role: found.role.type, password: found.password, count: await user.count() }
  },
}`,
    routes: [
      { path: '/join', method: 'POST', handler: './order.js#join', auth: false },
      { path: '/me', handler: './order.js#me', auth: false },
      { path: '/own', handler: './order.js#me' },
    ],
  })
  const joined = await ask('/api/join', {
    username: 'ada',
    email: 'ada@example.com',
    password: 'long-enough',
  })
  expect(joined.status, JSON.stringify(joined.body)).toBe(200)
  const { jwt, id } = joined.body as { readonly jwt: string; readonly id: number }
  const get = async (path: string, token: string): Promise<unknown> => {
    const response = await cms?.fetch(path, { headers: { authorization: `Bearer ${token}` } })
    return response?.json()
  }
  const me = { id, name: 'ada', role: 'authenticated', count: 1 }
  expect(await get('/api/me', jwt)).toEqual(me)
  expect(await get('/api/own', jwt)).toEqual(me)
  expect(await get('/api/me', `${jwt}x`)).toMatchObject({ error: { status: 401 } })
  expect((await ask('/api/me')).status).toBe(401)
})

test.each([
  [
    'an object',
    "{ models: ['api::order.order', 'admin::user'], beforeCreate(event) { event.params.data.total = 9 } }",
  ],
  ['a function', "(event) => { if (event.action === 'beforeCreate') event.params.data.total = 9 }"],
])('%s subscribes to lifecycles in bootstrap, and writes in a transaction', async (_name, subscriber) => {
  await open({
    code: `module.exports = {
  async bootstrap({ strapi }) {
    strapi.db.lifecycles.subscribe(${subscriber})
  },
  async twice(ctx) {
    await strapi.db.transaction(async ({ onCommit }) => {
      await strapi.db.query('api::order.order').create({ data: { title: 'undone' } })
      if (ctx.query.fails) throw new Error('fails')
    })
    return { total: await strapi.db.query('api::order.order').count({ where: { title: 'undone' } }) }
  },
}`,
    extensions: './order.js',
    routes: [{ path: '/twice', method: 'POST', handler: './order.js#twice', auth: false }],
  })
  expect((await ask('/api/twice?fails=1', {})).status).toBe(500)
  expect((await ask('/api/twice', {})).body).toEqual({ total: 1 })
  expect(await cms?.entries('order').findMany({ filters: { title: 'undone' } })).toMatchObject([{ total: 9 }])
})

test('a subscriber to an unknown content-type is refused', async () => {
  const code = `module.exports = {
  bootstrap({ strapi }) { strapi.db.lifecycles.subscribe({ models: ['api::order.ordr'], beforeCreate() {} }) },
}`
  await expect(open({ code, extensions: './order.js' })).rejects.toThrow(
    /unknown content-type "api::order\.ordr"; did you mean "api::order\.order"\?/,
  )
})

test('pages of the entity service, and changes of ctx.request.query', async () => {
  await open({
    code: controller(`{
      async pages(ctx) {
        const uid = 'api::order.order'
        await strapi.entityService.create(uid, { data: { title: 'b', secret: 'hidden' } })
        const { results, pagination } = await strapi.entityService.findPage(uid, { page: 2, pageSize: 1, sort: 'id' })
        const [second] = await strapi.entityService.findMany(uid, { pagination: { start: 1, limit: 1 }, sort: 'id' })
        return { results: await this.sanitizeOutput(results), pagination, same: second.id === results[0].id }
      },
      async find(ctx) { ctx.request.query = { ...ctx.request.query, fields: ['title'] }; return super.find(ctx) },
    }`),
    handlers: { find: './order.js#find' },
    routes: [{ path: '/pages', handler: './order.js#pages', auth: false }],
  })
  const { body } = await ask('/api/pages')
  expect(body).toMatchObject({
    results: [{ title: 'b' }],
    pagination: { page: 2, pageSize: 1, pageCount: 2, total: 2 },
    same: true,
  })
  expect(JSON.stringify(body)).not.toContain('hidden')
  expect((await ask('/api/orders?sort=id')).body).toMatchObject({
    data: [{ attributes: { title: 'a' } }, { attributes: { title: 'b' } }],
  })
})

test.each([
  ['strapi-4', 'publicationState=preview', 1],
  ['strapi-5', 'status=draft', 403],
] as const)('%s: drafts stay hidden from callers who may not see them', async (dialect, query, expected) => {
  const text = JSON.stringify({
    dialect,
    contentTypes: { order: { drafts: true, attributes: { title: 'string' } } },
    routes: [{ path: '/orders/mine', handler: './order.js#mine', permission: 'order.mine' }],
    rest: { publicDrafts: false },
    auth: { roles: { public: { permissions: ['order.mine'] } } },
    data: { order: [{ title: 'shown' }, { title: 'draft', published: false }] },
  })
  await writeFile(join(folder, 'cms.yaml'), text)
  const code = controller(`{
    async mine(ctx) {
      const { results } = await strapi.service('api::order.order').find(await this.sanitizeQuery(ctx))
      return { count: results.length }
    },
  }`)
  await writeFile(join(folder, 'order.js'), code)
  cms = await createCms(join(folder, 'cms.yaml'), { env: {} })
  const { status, body } = await ask(`/api/orders/mine?${query}`)
  if (expected === 403) expect(status).toBe(403)
  else expect(body).toEqual({ count: expected })
  expect((await ask('/api/orders/mine')).body).toEqual({ count: 1 })
})
