// Code of a project that runs with every request or document, imported and served.

import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'
import { importProject, listRoles, ORDERS } from './project-fixtures.ts'

let cms: Cms | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
})

async function serve(file: string): Promise<Cms> {
  cms = await createCms(file, { env: { JWT_SECRET: 'x' }, database: { client: 'memory' } })
  return cms
}

const KEY = `module.exports = ({ header }) => async (ctx, next) => {
  if (ctx.get(header) !== 'let me in') return ctx.unauthorized('no key')
  await next()
}`

const PROJECT = {
  ...ORDERS,
  'config/sync/user-role.public.json': listRoles(['find', 'create']),
  'config/middlewares.js': `module.exports = [
    'strapi::errors',
    { name: 'global::has-key', config: { header: 'x-key' } },
    'global::stamped',
  ]`,
  'src/middlewares/has-key.js': KEY,
  'src/middlewares/stamped.js':
    "module.exports = () => async (ctx, next) => { await next(); ctx.set('x-stamp', String(ctx.status)) }",
}

test('middlewares of every request guard as they did', async () => {
  const { project, file, err, written } = await importProject(PROJECT)
  expect(written.server.middlewares).toEqual([{ name: 'has-key', options: { header: 'x-key' } }, 'stamped'])
  expect(written.auth.roles.public.permissions).toEqual(['api::order.order.find', 'api::order.order.create'])
  expect(err).toContain('config/middlewares.js:3: global::has-key is kept')
  const check = ['import', '--strapi', '.', '--into', file, '--check']
  expect((await runCommand(check, { cwd: project })).code).toBe(0)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/^ +- stamped$/m, ''))
  expect(await runCommand(check, { cwd: project })).toMatchObject({
    code: 1,
    out: expect.stringContaining('./src/middlewares/stamped.js is new for requests to any path'),
  })
  writeFileSync(file, text)
  const { fetch } = await serve(file)
  expect((await fetch('/api/orders')).status).toBe(401)
  const response = await fetch('/api/orders', { headers: { 'x-key': 'let me in' } })
  expect([response.status, response.headers.get('x-stamp')]).toEqual([200, '200'])
})

test.each([
  ['a file that is gone', { 'config/middlewares.js': "module.exports = ['global::gone']" }, 'is not a file'],
  [
    'a package',
    { 'config/middlewares.js': "module.exports = [{ resolve: 'koa-guard', config: {} }]" },
    'its settings are not understood',
  ],
  [
    'another list for an environment',
    { 'config/env/production/middlewares.js': "module.exports = ['strapi::errors', 'global::other']" },
    'only config/env/production has it',
  ],
])('%s closes every permission', async (_name, files, reason) => {
  const { err, written } = await importProject({ ...PROJECT, ...files })
  expect(err).toMatch(
    new RegExp(`runs before every request \\(.*${reason}.*\\): permissions are not granted`),
  )
  expect(written.auth?.roles?.public?.permissions ?? []).toEqual([])
})

test('the same list for an environment closes nothing', async () => {
  const { err } = await importProject({
    ...PROJECT,
    'config/env/production/middlewares.js': PROJECT['config/middlewares.js'],
  })
  expect(err).not.toContain('not granted')
})

const STRAPI_5 = (graphql: boolean) =>
  JSON.stringify({
    dependencies: { '@strapi/strapi': '5.10.0', ...(graphql && { '@strapi/plugin-graphql': '5.10.0' }) },
  })

const NUMBERED = `module.exports = { register({ strapi }) {
  strapi.documents.use(async (context, next) => {
    if (context.action === 'create') context.params.data.total = 7
    return next()
  })
} }`
const HIDING = `module.exports = { register({ strapi }) {
  strapi.documents.use((context, next) => {
    if (context.action === 'findMany') context.params.filters = { total: 7 }
    return next()
  })
} }`

test('middlewares of documents run', async () => {
  const { file, err } = await importProject({
    ...ORDERS,
    'config/sync/user-role.public.json': listRoles(['find', 'create']),
    'package.json': STRAPI_5(true),
    'src/index.js': NUMBERED,
  })
  expect(err).toContain('src/index.js is kept')
  const { fetch } = await serve(file)
  const headers = { 'content-type': 'application/json' }
  const made = await fetch('/api/orders', { method: 'POST', headers, body: '{"data":{"title":"a"}}' })
  expect(((await made.json()) as { data: object }).data).toMatchObject({ title: 'a', total: 7 })
})

test.each([
  ['with GraphQL, one that changes reads', true, HIDING, true],
  ['without GraphQL, one that changes reads', false, HIDING, false],
  ['with GraphQL, one that changes writes', true, NUMBERED, false],
  [
    'with GraphQL, one of another file that names no action',
    true,
    "module.exports = require('./other')",
    true,
  ],
])('%s', async (_name, graphql, code, closes) => {
  const { err } = await importProject({
    ...ORDERS,
    'config/sync/user-role.public.json': listRoles(['find']),
    'package.json': STRAPI_5(graphql),
    'src/index.js': code,
    'src/other.js': 'exports.register = ({ strapi }) => { strapi.documents.use((_, next) => next()) }',
  })
  if (closes) expect(err).toContain('permissions are not granted')
  else expect(err).not.toContain('not granted')
})
