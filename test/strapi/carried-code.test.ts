// A project with code, imported and served: its controllers, routes, services and `src/index` answer as they did.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

type Files = Readonly<Record<string, string>>

const FACTORY = (name: string): string =>
  `'use strict'\nconst { ${name} } = require('@strapi/strapi').factories\n`

const order = {
  kind: 'collectionType',
  collectionName: 'orders',
  info: { singularName: 'order', pluralName: 'orders', displayName: 'Order' },
  options: { draftAndPublish: false },
  attributes: {
    title: { type: 'string' },
    total: { type: 'integer' },
    secret: { type: 'string', private: true },
  },
}

const GRANTED = ['find', 'findOne', 'create', 'delete', 'mine', 'broken', 'send'].map(
  (action) => `api::order.order.${action}`,
)

/** As strapi-plugin-config-sync writes it. */
const ROLE = JSON.stringify({
  name: 'Public',
  description: '',
  type: 'public',
  permissions: [...GRANTED, 'api::order.note.send'].map((action) => ({ action })),
})

const PROJECT: Files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '4.25.0' } }),
  'config/sync/user-role.public.json': ROLE,
  'src/api/order/content-types/order/schema.json': JSON.stringify(order),
  'src/api/order/routes/order.js': `${FACTORY('createCoreRouter')}
module.exports = createCoreRouter('api::order.order')`,
  'src/api/order/routes/more.js': `module.exports = {
  routes: [
    { method: 'GET', path: '/orders/mine', handler: 'order.mine', config: { policies: ['is-named'] } },
    { method: 'POST', path: '/orders/:id/send', handler: 'api::order.note.send', config: { auth: false } },
    { method: 'GET', path: '/orders/guarded', handler: 'order.broken', config: { policies: ['plugin::x.gone'] } },
    { method: 'GET', path: '/orders/elsewhere', handler: 'order.nowhere' },
    { method: 'GET', path: '/all-orders', handler: 'order.find', config: { auth: false } },
    { method: 'GET', path: '/orders/price', handler: 'order.price', config: { auth: false } },
  ],
}`,
  'src/api/order/controllers/order.js': `${FACTORY('createCoreController')}
module.exports = createCoreController('api::order.order', ({ strapi }) => ({
  async create(ctx) {
    ctx.request.body.data.total = await strapi.service('api::order.order').price()
    return super.create(ctx)
  },
  async mine(ctx) { return { name: ctx.query.name, first: (await super.find(ctx)).data.length } },
  async price() { return { price: strapi.config.get('shop.price'), other: strapi.config.get('shop.other', 'none'), url: strapi.config.server.url, own: strapi.config.get('server.own') } },
  async broken() { return strapi.eventHub.emit('x') },
}))`,
  'src/api/order/controllers/note.ts': `export default {
  async send(ctx: any) { ctx.body = { sent: ctx.params.id } },
}`,
  'src/api/order/services/order.js': `${FACTORY('createCoreService')}
module.exports = createCoreService('api::order.order', ({ strapi }) => ({
  async price() { return 40 + (await strapi.db.query('api::order.order').count()) },
}))`,
  'src/api/order/services/plain.js': `${FACTORY('createCoreService')}
module.exports = createCoreService('api::order.plain')`,
  'src/api/order/policies/is-named.js': 'module.exports = (ctx) => ctx.query.name !== undefined',
  'config/shop.js': "module.exports = ({ env }) => ({ price: env.int('NO_SUCH_PRICE', 7) })",
  'config/server.js':
    "module.exports = ({ env }) => ({ host: env('HOST', '0.0.0.0'), port: 9, own: 'yes', app: { keys: env.array('APP_KEYS') } })",
  'src/index.js': `module.exports = {
  register() {},
  async bootstrap({ strapi }) {
    await strapi.entityService.create('api::order.order', { data: { title: 'first' } })
  },
}`,
}

function writeProject(files: Files): string {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function importProject(files: Files) {
  const project = writeProject(files)
  const file = join(project, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', '.', '--into', file], { cwd: project })
  expect(code, err).toBe(0)
  return { file, err, written: parse(readFileSync(file, 'utf8')) }
}

test('controllers, routes, services and bootstrap are kept and run', async () => {
  const { file, err, written } = await importProject(PROJECT)
  expect(written).toMatchObject({
    contentTypes: {
      order: { rest: { config: { create: { handler: './src/api/order/controllers/order.js#create' } } } },
    },
    services: { 'api::order.order': './src/api/order/services/order.js' },
    extensions: './src/index.js',
  })
  expect(Object.keys(written.services)).toEqual(['api::order.order'])
  expect(written.routes).toEqual([
    {
      method: 'GET',
      path: '/orders/mine',
      handler: './src/api/order/controllers/order.js#mine',
      permission: 'api::order.order.mine',
      policies: ['is-named'],
    },
    {
      method: 'POST',
      path: '/orders/:id/send',
      handler: './src/api/order/controllers/note.ts#send',
      permission: 'api::order.note.send',
      auth: false,
    },
    {
      method: 'GET',
      path: '/orders/guarded',
      closed: expect.stringContaining('plugin::x.gone is not a file'),
    },
    {
      method: 'GET',
      path: '/orders/elsewhere',
      closed: expect.stringContaining('no controller that is taken'),
    },
    {
      method: 'GET',
      path: '/all-orders',
      handler: './src/api/order/controllers/order.js#find',
      permission: 'api::order.order.find',
      auth: false,
    },
    {
      method: 'GET',
      path: '/orders/price',
      handler: './src/api/order/controllers/order.js#price',
      permission: 'api::order.order.price',
      auth: false,
    },
  ])
  expect(written.settings).toEqual({ server: './config/server.js', shop: './config/shop.js' })
  expect(err).toContain('more.js:3: GET /api/orders/mine keeps policies')
  expect(err).toContain('more.js:5: GET /api/orders/guarded has policies (plugin::x.gone is not a file')
  expect(err).toContain(
    'GET /api/orders/elsewhere is not taken: no controller that is taken has api::order.order.nowhere',
  )
  expect(err).toContain('order.js:11: strapi.eventHub is not there')
  expect(err).toContain('src/index.js is kept')
  expect(err).toContain('private attributes only if "fields" or "select" names them: api::order.order.secret')
  const { permissions } = written.auth.roles.public
  expect(permissions).toContain('api::order.order.mine')
  expect(permissions).not.toContain('api::order.order.broken')

  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' } })
  const ask = async (path: string, method = 'GET', data?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await cms.fetch(path, {
      method,
      ...(data && { headers, body: JSON.stringify({ data }) }),
    })
    return { status: response.status, body: await response.json() }
  }
  expect(await ask('/api/orders', 'POST', { title: 'x', total: 1 })).toMatchObject({
    status: 200,
    body: { data: { attributes: { title: 'x', total: 41 } } },
  })
  expect(await ask('/api/orders/mine?name=a')).toMatchObject({ status: 200, body: { name: 'a', first: 2 } })
  expect(await ask('/api/orders/mine')).toMatchObject({ status: 403 })
  expect(await ask('/api/orders/7/send', 'POST', {})).toMatchObject({ status: 200, body: { sent: '7' } })
  expect(await ask('/api/all-orders?filters[title]=x')).toMatchObject({
    body: { data: [{ attributes: { title: 'x' } }], meta: { pagination: { total: 1 } } },
  })
  expect(await ask('/api/orders/price')).toMatchObject({
    body: { price: 7, other: 'none', url: 'http://localhost:1337', own: 'yes' },
  })
  expect(await ask('/api/orders/guarded')).toMatchObject({ status: 403 })
})

test('a bootstrap that subscribes to users of the admin panel is kept, and its hooks never run', async () => {
  const { file, err, written } = await importProject({
    ...PROJECT,
    'src/index.js': "const listen = require('./listen')\nmodule.exports = { bootstrap: listen }",
    'src/listen.js': `module.exports = ({ strapi }) => {
  strapi.db.lifecycles.subscribe({
    async afterCreate({ result }) { await strapi.query('api::order.order').create({ data: result }) },
    models: ['admin::user'],
  })
}`,
  })
  expect(written.extensions).toBe('./src/index.js')
  expect(err).toContain('src/listen.js:4: the hooks of admin::user never run: there is no admin panel')
  expect(written.auth.roles.public.permissions).toContain('api::order.order.find')
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' }, log })
  expect((await cms.fetch('/api/orders')).status).toBe(200)
  expect(lines.join('\n')).toContain('there is no admin::user here, its hooks never run')
})

test.each<readonly [name: string, files: Files, note: RegExp]>([
  [
    'a bootstrap that reads users of the admin panel in a hook',
    {
      'src/index.js': `module.exports = { bootstrap({ strapi }) {
  strapi.db.lifecycles.subscribe({ models: ['admin::user'], afterCreate: () => strapi.query('admin::user').count() })
} }`,
    },
    /src\/index\.js is code and is not taken: src\/index\.js asks for admin::user/,
  ],
  [
    'a bootstrap that subscribes to a type of an absent plugin',
    {
      'src/index.js':
        "module.exports = { bootstrap({ strapi }) { strapi.db.lifecycles.subscribe({ models: ['plugin::shop.cart'] }) } }",
    },
    /src\/index\.js is code and is not taken: src\/index\.js asks for plugin::shop\.cart/,
  ],
  [
    'a bootstrap that asks for a missing part',
    { 'src/index.js': "module.exports = { bootstrap({ strapi }) { strapi.eventHub.emit('x') } }" },
    /src\/index\.js is code and is not taken: src\/index\.js asks for eventHub/,
  ],
  [
    'a bootstrap whose module asks for a type that is not here',
    {
      'src/index.js': "const seed = require('./seed')\nmodule.exports = { bootstrap() { return seed() } }",
      'src/seed.js': "module.exports = () => strapi.query('plugin::i18n.locale').findMany()",
    },
    /src\/index\.js is code and is not taken: src\/seed\.js asks for plugin::i18n\.locale/,
  ],
  [
    'a controller whose package is not there',
    {
      'src/api/order/controllers/order.js': `const x = require('no-such-package')\n${PROJECT['src/api/order/controllers/order.js']}`,
    },
    /order\.js answers create itself \(cannot be loaded: Could not resolve "no-such-package"\): api::order\.order\.create is not granted/,
  ],
  [
    'a service that changes how every action asks',
    {
      'src/api/order/services/order.js': `${FACTORY('createCoreService')}
module.exports = createCoreService('api::order.order', () => ({ getFetchParams() { return {} } }))`,
    },
    /services\/order\.js changes what every action answers: permissions of api::order\.order are not granted/,
  ],
])('%s is named', async (_name, files, note) => {
  const { err } = await importProject({ ...PROJECT, ...files })
  expect(err).toMatch(note)
})

test('an option that a configuration refuses is left out, and with an essential one the attribute', async () => {
  const attributes = {
    title: { type: 'string' },
    stars: { type: 'integer', min: 1, default: 0 },
    since: { type: 'datetime', default: 'now()' },
    año: { type: 'integer' },
    hidden: { type: 'string', private: 'yes' },
  }
  const { err, written } = await importProject({
    ...PROJECT,
    'src/api/order/content-types/order/schema.json': JSON.stringify({ ...order, attributes }),
  })
  expect(written.contentTypes.order.attributes).toEqual({
    title: { type: 'string' },
    stars: { type: 'integer', min: 1 },
    since: { type: 'datetime' },
  })
  expect(err).toContain('order.stars: its default is left out: the default 0 is below min 1')
  expect(err).toContain('order.año is left out: "año" cannot be a name')
  expect(err).toContain('order.hidden is left out: "private" must be')
})

test('a file that changes users-permissions is kept, with the permissions of its routes', async () => {
  const { 'src/index.js': _, ...project } = PROJECT
  const role = JSON.parse(ROLE)
  const added = [
    { action: 'plugin::users-permissions.user.hello' },
    { action: 'plugin::users-permissions.user.me' },
  ]
  const { file, err, written } = await importProject({
    ...project,
    'config/sync/user-role.public.json': JSON.stringify({
      ...role,
      permissions: [...role.permissions, ...added],
    }),
    'src/policies/is-polite.js': "module.exports = (ctx) => ctx.query.please === 'yes'",
    'src/extensions/users-permissions/hello.js': `module.exports = (plugin) => {
  plugin.controllers.user.hello = async (ctx) => { ctx.body = { hello: ctx.query.name } }
  plugin.routes['content-api'].routes.push({
    method: 'GET', path: '/hello', handler: 'user.hello', config: { prefix: '', policies: ['global::is-polite'] },
  })
}`,
    'src/extensions/users-permissions/strapi-server.js': `const addHello = require('./hello')
module.exports = (plugin) => {
  addHello(plugin)
  return plugin
}`,
  })
  expect(err).toContain('src/extensions/users-permissions/strapi-server.js is kept')
  expect(written.plugins['users-permissions'].config.extension).toBe(
    './src/extensions/users-permissions/strapi-server.js',
  )
  expect(written.policies).toMatchObject({ 'is-polite': './src/policies/is-polite.js' })
  expect(written.auth.roles.public.permissions).toEqual(
    expect.arrayContaining(added.map(({ action }) => action)),
  )
  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' } })
  expect(await (await cms.fetch('/api/hello?name=a&please=yes')).json()).toEqual({ hello: 'a' })
  expect((await cms.fetch('/api/hello?name=a')).status).toBe(403)
})

test('services of a plugin of the project are kept, and its routes are named', async () => {
  const { 'src/index.js': _, ...project } = PROJECT
  const { file, err, written } = await importProject({
    ...project,
    'src/plugins/shop/server/services/index.js':
      "module.exports = { rateTable: require('./rate-table'), data: require('./data') }",
    'src/plugins/shop/server/services/data.js': `${FACTORY('createCoreService')}module.exports = createCoreService('plugin::shop.data')`,
    'src/plugins/shop/server/services/rate-table.js':
      'module.exports = ({ strapi }) => ({ rate: () => typeof strapi.log.info })',
    'src/plugins/shop/server/routes/index.js': 'module.exports = []',
    'src/api/order/controllers/note.ts': `export default {
  async send(ctx: any) { ctx.body = { rate: strapi.plugin('shop').service('rateTable').rate() } },
}`,
  })
  expect(written.services).toMatchObject({
    'plugin::shop.rateTable': './src/plugins/shop/server/services/rate-table.js',
  })
  expect(err).toContain('src/plugins/shop/server: routes of a plugin are not taken')
  expect(err).toContain('data.js is code and is not taken: it needs plugin::shop.data, a type of the plugin')
  expect(err).not.toContain("service('plugin::shop")
  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' } })
  const response = await cms.fetch('/api/orders/7/send', { method: 'POST' })
  expect(await response.json()).toEqual({ rate: 'function' })
})

test('schemas that are code of plain values are read, and names that a configuration refuses are named', async () => {
  const { 'src/index.js': _, 'src/api/order/content-types/order/schema.json': __, ...project } = PROJECT
  const { err, written } = await importProject({
    ...project,
    'src/api/order/content-types/order/schema.ts': `const schema: object = ${JSON.stringify(order)}\nexport default schema`,
    'src/api/odd/content-types/odd/schema.js': 'module.exports = makeSchema()',
    'src/api/order/controllers/board.js': `${FACTORY('createCoreController')}
module.exports = createCoreController('api::order.order', () => ({ async show() { return 'board' } }))`,
    'src/api/order/routes/board.js':
      "module.exports = { routes: [{ method: 'GET', path: '/board', handler: 'board.show', config: { auth: false } }] }",
    'src/api/gone/controllers/gone.js': `${FACTORY('createCoreController')}module.exports = createCoreController('api::gone.gone')`,
    'src/components/list/items 2.json': JSON.stringify({ info: { displayName: 'Items' }, attributes: {} }),
  })
  expect(Object.keys(written.contentTypes)).toEqual(['order'])
  expect(Object.keys(written.contentTypes.order.attributes)).toEqual(['title', 'total', 'secret'])
  expect(err).toContain('src/api/odd/content-types/odd/schema.js is code that is not understood')
  expect(err).toContain('src/components/list/items 2.json: list.items 2 cannot be the name of a component')
  expect(err).toContain('there is no content-type api::gone.gone')
  expect(written.routes).toContainEqual(
    expect.objectContaining({ path: '/board', handler: './src/api/order/controllers/board.js#show' }),
  )
})
