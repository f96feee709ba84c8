// Strapi's file `src/extensions/users-permissions/strapi-server`, which changes controllers and routes of the plugin.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

let cms: Cms | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-extension-'))
})

afterEach(async () => {
  await cms?.close()
  cms = undefined
  await rm(folder, { recursive: true })
})

const USERS = 'plugin::users-permissions'

async function open(extension: string, name = 'strapi-server.js'): Promise<Cms> {
  await writeFile(join(folder, name), extension)
  await writeFile(
    join(folder, 'is-self.js'),
    'module.exports = (ctx) => ctx.params.id === String(ctx.state.user.id)',
  )
  await writeFile(
    join(folder, 'cms.yaml'),
    JSON.stringify({
      database: { client: 'memory' },
      contentTypes: { note: { attributes: { title: 'string' } } },
      policies: { 'is-self': './is-self.js' },
      plugins: {
        graphql: true,
        'users-permissions': {
          config: { jwtSecret: 'x'.repeat(32), extension: `./${name}`, advanced: { allow_register: true } },
        },
      },
      auth: {
        apiTokens: [{ name: 'all', token: 'token-of-all', type: 'full-access' }],
        roles: {
          public: {
            permissions: ['auth.callback', 'auth.register', 'auth.forgotPassword'].map(
              (one) => `${USERS}.${one}`,
            ),
          },
          authenticated: {
            permissions: [
              ...['user.me', 'user.update'],
              ...(extension.includes('updateMe') ? ['user.updateMe'] : []),
            ].map((one) => `${USERS}.${one}`),
          },
        },
      },
    }),
  )
  cms = await createCms(join(folder, 'cms.yaml'), { env: {}, log() {} })
  return cms
}

interface Told {
  readonly status: number
  readonly body: unknown
  readonly cookies: readonly string[]
}

async function ask(
  method: string,
  path: string,
  body?: object,
  user?: Parameters<Cms['as']>[0],
): Promise<Told> {
  if (cms === undefined) throw new Error('not open')
  const fetch = user === undefined ? cms.fetch : cms.as(user)
  const response = await fetch(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    cookies: response.headers.getSetCookie(),
  }
}

const register = (name: string, more = {}) =>
  ask('POST', '/api/auth/local/register', {
    username: name,
    email: `${name}@b.de`,
    password: 'Secret12',
    ...more,
  })

const ROUTES = "plugin.routes['content-api'].routes"

test('an action of its own calls an action of the plugin, and has a permission of its own', async () => {
  await open(`module.exports = (plugin) => {
    plugin.controllers.user.updateMe = async (ctx) => {
      if (!ctx.state.user) return (ctx.response.status = 401)
      ctx.params.id = ctx.state.user.id
      await plugin.controllers.user.update(ctx)
      ctx.body.by = ctx.state.route.handler
    }
    ${ROUTES}.unshift({ method: 'PUT', path: '/users/me', handler: 'user.updateMe', config: { prefix: '', policies: [] } })
    ${ROUTES}.push({ method: 'GET', path: '/below', handler: 'user.below' })
    plugin.controllers.user.below = (ctx) => ctx.send({ path: ctx.path })
    return plugin
  }`)
  for (const name of ['ann', 'bob']) await register(name)
  expect(await ask('PUT', '/api/users/me', { username: 'anna' }, 'ann')).toMatchObject({
    status: 200,
    body: { id: 1, username: 'anna', by: `${USERS}.user.updateMe` },
  })
  expect((await ask('PUT', '/api/users/me', { username: 'x' }, 'bob')).body).toMatchObject({
    error: { name: 'ValidationError' },
  })
  expect(await ask('PUT', '/api/users/me', { username: 'nobody' })).toMatchObject({ status: 403 })
  // Nobody has its permission.
  expect(await ask('GET', '/api/users-permissions/below', undefined, 'bob')).toMatchObject({ status: 403 })
})

describe.each([
  [
    'its function',
    `const register = plugin.controllers.auth.register
    plugin.controllers.auth.register = async (ctx) => {
      if (ctx.request.body.captcha !== 'ok') return ctx.badRequest('captcha failed')
      delete ctx.request.body.captcha
      await register(ctx)
      ctx.body.extra = ctx.status
      ctx.cookies.set('jwt', ctx.body.jwt, { secure: true, sameSite: 'lax' })
      ctx.cookies.set('seen', 'yes', { httpOnly: false })
    }`,
  ],
  [
    'a function that makes its actions',
    `const made = plugin.controllers.auth
    plugin.controllers.auth = ({ strapi }) => {
      const auth = made({ strapi })
      return {
        ...auth,
        async register(ctx) {
          if (ctx.request.body.captcha !== 'ok') return ctx.badRequest('captcha failed')
          delete ctx.request.body.captcha
          await auth.register(ctx)
          ctx.body.extra = ctx.status
          ctx.cookies.set('jwt', ctx.body.jwt, { secure: true, sameSite: 'lax' })
          ctx.cookies.set('seen', 'yes', { httpOnly: false })
        },
      }
    }`,
  ],
])('an action of the plugin is replaced: %s', (_, change) => {
  test('its code answers over REST, and GraphQL does not pass by it', async () => {
    await open(`export default async (plugin: any) => { ${change}\nreturn plugin }`, 'strapi-server.ts')
    expect(await register('eve')).toMatchObject({
      status: 400,
      body: { error: { message: 'captcha failed' } },
    })
    const made = await register('eve', { captcha: 'ok' })
    expect(made).toMatchObject({ status: 200, body: { user: { username: 'eve' }, extra: 200 } })
    expect(made.cookies).toEqual([
      expect.stringMatching(/^jwt=[\w.-]+; Path=\/; SameSite=lax; Secure; HttpOnly$/),
      'seen=yes; Path=/',
    ])
    const query = `mutation { register(input: { username: "mallory", email: "m@b.de", password: "Secret12" }) { jwt } }`
    expect(await ask('POST', '/graphql', { query })).toMatchObject({
      body: { errors: [{ message: 'Forbidden' }] },
    })
    const login = `mutation { login(input: { identifier: "eve", password: "Secret12" }) { jwt } }`
    expect(await ask('POST', '/graphql', { query: login })).toMatchObject({
      body: { data: { login: { jwt: expect.any(String) } } },
    })
  })
})

test('no mutation passes by code that replaces every action, and a redirection is one', async () => {
  await open(`module.exports = (plugin) => {
    for (const actions of Object.values(plugin.controllers))
      for (const name of Object.keys(actions)) actions[name] = (ctx) => ctx.redirect('/né w?a=' + name)
    return plugin
  }`)
  const response = await cms?.fetch('/api/auth/local', { method: 'POST', redirect: 'manual' })
  expect([response?.status, response?.headers.get('location')]).toEqual([302, '/n%C3%A9%20w?a=callback'])
  const fields = [
    'login(input: { identifier: "a", password: "b" }) { jwt }',
    'forgotPassword(email: "a@b.de") { ok }',
    'resetPassword(password: "a", passwordConfirmation: "a", code: "c") { jwt }',
    'emailConfirmation(confirmation: "c") { jwt }',
    'deleteUsersPermissionsUser(id: 1) { data { id } }',
    'deleteUsersPermissionsRole(id: 1) { ok }',
  ]
  for (const field of fields)
    expect(
      await ask('POST', '/graphql', { query: `mutation { ${field} }` }, { token: 'all' }),
      field,
    ).toMatchObject({
      body: { errors: [{ extensions: { error: { details: EXPLAINED } } }] },
    })
})

const EXPLAINED = { explain: { message: 'this is answered by code of the configuration over REST' } }

test('guards that the file adds to routes of the plugin hold, and routes that it removes are gone', async () => {
  await open(`module.exports = (plugin) => {
    ${ROUTES}.find((route) => route.handler === 'user.update').config.policies = ['global::is-self']
    ${ROUTES} = ${ROUTES}.filter((route) => route.path !== '/auth/forgot-password')
    return plugin
  }`)
  for (const name of ['ann', 'bob']) await register(name)
  expect(await ask('PUT', '/api/users/1', { username: 'anna' }, 'ann')).toMatchObject({ status: 200 })
  expect(await ask('PUT', '/api/users/2', { username: 'anna' }, 'anna')).toMatchObject({ status: 403 })
  expect(await ask('POST', '/api/auth/forgot-password', { email: 'ann@b.de' })).toMatchObject({ status: 404 })
})

test.each([
  [
    'module.exports = (plugin) => { plugin.services.providers = {}; return plugin }',
    'services of the plugin users-permissions',
  ],
  ['module.exports = (plugin) => { plugin.contentTypes = {}; return plugin }', 'contentTypes of the plugin'],
  ["module.exports = () => { throw new Error('broken') }", 'broken'],
  ['module.exports = {}', 'no function'],
  ['module.exports = (plugin) => ({ ...plugin, policies: {} })', 'policies of the plugin'],
  [
    `module.exports = (plugin) => { ${ROUTES}.push({ method: 'GET', path: '/x', handler: 'user.gone' }); return plugin }`,
    'user.gone',
  ],
  [
    `module.exports = (plugin) => { ${ROUTES}[0].config.policies = ['global::none']; return plugin }`,
    'unknown policy',
  ],
])('a file that would have no effect ends the start: %s', async (code, message) => {
  await expect(open(code)).rejects.toThrow(message)
})

test('the routes that a file may change are those that are served', async () => {
  await open(`module.exports = (plugin) => {
    plugin.controllers.user.list = (ctx) => ctx.send(globalThis.routesOfPlugin)
    globalThis.routesOfPlugin = ${ROUTES}.map(({ method, path, config }) => [method, (config.prefix ?? '/users-permissions') + path])
    return plugin
  }`)
  const { routesOfPlugin } = globalThis as unknown as {
    routesOfPlugin: readonly (readonly [string, string])[]
  }
  const served = await Promise.all(
    routesOfPlugin.map(async ([method, path]) => {
      const told = await ask(
        method,
        `/api${path.replaceAll(/:\w+/g, '1')}`,
        method === 'GET' ? undefined : {},
      )
      return JSON.stringify(told.body).includes('nothing is served') ? `${method} ${path}` : undefined
    }),
  )
  expect(routesOfPlugin.length).toBeGreaterThan(20)
  expect(served.filter((one) => one !== undefined)).toEqual([])
})
