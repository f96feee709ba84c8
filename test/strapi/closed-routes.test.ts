// Routes of a project that the import cannot keep: they are refused, and no generated route answers them.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { importProject, listRoles, ORDERS } from './project-fixtures.ts'

/** The policy is that of a plugin. */
const GUARDED = `handler: 'order.total', config: { policies: ['plugin::x.gone'] }`
const ROUTES = 'src/api/order/routes/more.js'

const PROJECT = {
  ...ORDERS,
  'config/sync/user-role.public.json': listRoles(
    ['find', 'findOne', 'create'],
    ['plugin::users-permissions.auth.register'],
  ),
  'src/api/order/controllers/order.js': `const { createCoreController } = require('@strapi/strapi').factories
module.exports = createCoreController('api::order.order', () => ({ async total() { return { total: 1 } } }))`,
  [ROUTES]: `module.exports = { routes: [
    { method: 'GET', path: '/orders/count', ${GUARDED} },
    { method: 'GET', path: '/orders/7', ${GUARDED} },
    { method: 'GET', path: '/reports/:year', ${GUARDED} },
    { method: 'POST', path: '/auth/local/register', ${GUARDED} },
    { method: 'GET', path: '/orders/nowhere', handler: 'order.nowhere', config: { auth: false } },
    { method: 'GET', path: '/orders/:slug/total', ${GUARDED} },
    { method: 'GET', path: '/orders/:id/total', handler: 'order.total', config: { auth: false } },
    { method: 'ALL', path: '/orders/:id/parts/', handler: 'order.total' },
    { method: 'OPTIONS', path: '/orders/other', handler: 'order.total' },
  ] }`,
}

const GONE = 'policies (plugin::x.gone is not a file of src/policies or src/api/order/policies)'

test('they are closed, with the reason in development', async () => {
  const { file, err, written } = await importProject(PROJECT)
  expect(written.routes[0]).toEqual({
    method: 'GET',
    path: '/orders/count',
    closed: `${ROUTES}:2: GET /api/orders/count has ${GONE}`,
  })
  expect(written.routes).toHaveLength(11)
  expect(err).toContain(`GET /api/orders/:id/total is not taken: another route has the same path`)
  expect(err).toContain('OPTIONS /api/orders/other is not taken')

  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' } })
  const headers = { 'content-type': 'application/json' }
  const newUser = JSON.stringify({ username: 'someone', email: 'a@example.com', password: 'abcdefgh' })
  for (const [path, reason, init] of [
    ['/api/orders/count', 'has policies'],
    ['/api/orders/7', 'has policies'],
    ['/api/reports/2024', 'has policies'],
    ['/api/orders/3/total', 'has policies'],
    ['/api/orders/nowhere', 'is not taken: no controller that is taken has api::order.order.nowhere'],
    ['/api/orders/3/parts', 'routes here have no ALL', { method: 'PATCH' }],
    ['/api/auth/local/register', 'has policies', { method: 'POST', headers, body: newUser }],
  ] as const) {
    const response = await cms.fetch(path, init)
    const { error } = (await response.json()) as { error: unknown }
    expect(error, path).toMatchObject({
      status: 403,
      message: 'Forbidden',
      details: { explain: { message: expect.stringMatching(/^this route is closed: src\/api\//) } },
    })
    expect(JSON.stringify(error)).toContain(reason)
  }
  expect((await cms.fetch('/api/orders')).status).toBe(200)
  expect((await cms.fetch('/api/orders/8')).status).toBe(404)
})

test.each<readonly [name: string, place: string, closed: readonly string[], routes: string]>([
  ['a wider path that comes first', 'src/api/a', ['find'], "{ method: 'GET', path: '/:kind', "],
  ['a wider path that comes later', 'src/api/z', [], "{ method: 'GET', path: '/:kind/:id', "],
  ['the same path under another name', 'src/api/z', ['findOne'], "{ method: 'GET', path: '/orders/:slug', "],
  ['all methods', 'src/api/z', ['find', 'create'], "{ method: 'ALL', path: '/orders', "],
  ['a narrower path', 'src/api/a', [], "{ method: 'GET', path: '/orders/special', "],
])('%s: what is not granted', async (_name, place, closed, route) => {
  const handler = "handler: 'api::order.order.total' }"
  const { written } = await importProject({
    ...PROJECT,
    [ROUTES]: 'module.exports = { routes: [] }',
    [`${place}/routes/own.js`]: `module.exports = { routes: [${route}${handler}] }`,
  })
  const granted: readonly string[] = written.auth.roles.public.permissions
  const all = ['find', 'findOne', 'create']
  expect(all.filter((action) => !granted.includes(`api::order.order.${action}`))).toEqual(closed)
})
