import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ConfigError, createCms } from '../../src/index.ts'
import { type Asking, accountsConfig, openAccounts, SECRET } from './open-accounts.ts'

const opened: Asking[] = []
async function open(changes: Readonly<Record<string, unknown>> = {}): Promise<Asking> {
  const ask = await openAccounts(changes)
  opened.push(ask)
  return ask
}
afterEach(async () => {
  for (const { cms } of opened.splice(0)) await cms.close()
})

describe('a refusal', () => {
  test('says in development what is missing and where it is granted', async () => {
    const { post, logIn } = await open()
    const token = await logIn('alice', 'Passw0rd!alice')
    expect((await post('/api/notes', { data: {} }, token)).body).toMatchObject({
      error: {
        details: {
          explain: { permission: 'api::note.note.create', grantedIn: 'auth.roles.authenticated.permissions' },
        },
      },
    })
    expect((await post('/api/notes', { data: {} })).body).toMatchObject({
      error: { details: { explain: { grantedIn: 'auth.roles.public.permissions' } } },
    })
  })

  test.each([
    ['/api/auth/local', 'callback'],
    ['/api/auth/local/register', 'register'],
    ['/api/auth/forgot-password', 'forgotPassword'],
  ])('of %s names the permission that opens it, in development only', async (path, action) => {
    // One action of the plugin, so that the file says which of them everyone has.
    const permissions = ['note.find', 'plugin::users-permissions.auth.connect']
    const closed = { auth: { roles: { public: { permissions } } } }
    const body = { identifier: 'ann', username: 'ann', email: 'ann@example.com', password: 'Passw0rd!ann' }
    const permission = `plugin::users-permissions.auth.${action}`
    const { post } = await open(closed)
    expect(await post(path, body)).toMatchObject({
      status: 403,
      body: {
        error: { details: { explain: { permission, grantedIn: 'auth.roles.public.permissions' } } },
      },
    })
    const quiet = await open({ ...closed, server: { environment: 'staging' } })
    expect(await quiet.post(path, body)).toMatchObject({ status: 403, body: { error: { details: {} } } })
    expect(JSON.stringify(await quiet.post(path, body))).not.toContain('plugin::')
  })

  test.each(['production', 'staging'])('says nothing in %s', async (environment) => {
    const { post } = await open({ server: { environment } })
    expect(await post('/api/notes', { data: {} })).toEqual({
      status: 403,
      body: { data: null, error: { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} } },
    })
  })
})

test('a token counts in the header only', async () => {
  const { get, cms, logIn } = await open()
  const token = await logIn('alice', 'Passw0rd!alice')
  expect((await get('/api/users/me', token)).status).toBe(200)
  for (const [path, headers] of [
    [`/api/users/me?token=${token}`, {}],
    [`/api/users/me?access_token=${token}`, {}],
    ['/api/users/me', { cookie: `jwt=${token}; token=${token}` }],
    ['/api/users/me', { authorization: `Basic ${token}` }],
    ['/api/users/me', { 'x-user-id': '1' }],
  ] as const) {
    expect([400, 403]).toContain((await cms.fetch(path, { headers })).status)
  }
})

test('an edit of the file gives and takes at once; a role that is gone allows nothing and comes back with its users', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cms-run-roles-'))
  const file = join(folder, 'cms.json')
  const write = (roles: Record<string, unknown>) =>
    writeFile(file, JSON.stringify({ ...accountsConfig, auth: { ...accountsConfig.auth, users: [], roles } }))
  const { editor, ...others } = accountsConfig.auth.roles
  await write(accountsConfig.auth.roles)
  await using cms = await createCms(file, { env: {} })
  const users = cms.entries('plugin::users-permissions.user')
  await users.create({
    username: 'late',
    email: 'late@x.io',
    password: 'secret1',
    confirmed: true,
    role: 3,
    provider: 'local',
  })
  const login = await cms.fetch('/api/auth/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"identifier":"late","password":"secret1"}',
  })
  const { jwt } = (await login.json()) as { jwt: string }
  const count = async (): Promise<number> =>
    (await cms.fetch('/api/users/count', { headers: { authorization: `Bearer ${jwt}` } })).status
  expect(await count()).toBe(200)
  await write(others)
  await cms.reload()
  expect(await count()).toBe(403)
  await write({ ...others, editor: { permissions: ['note.find'] }, critic: { permissions: [] } })
  await cms.reload()
  expect(await count()).toBe(403)
  await write({ ...others, editor })
  await cms.reload()
  expect(await count()).toBe(200)
  expect(await cms.entries('plugin::users-permissions.role').findMany({ fields: ['type'] })).toMatchObject(
    ['authenticated', 'public', 'editor', 'critic'].map((type) => ({ type })),
  )
  await rm(folder, { recursive: true })
})

describe('tries are counted', () => {
  const limited = (max: number) => ({
    plugins: {
      email: true,
      'users-permissions': {
        config: { jwtSecret: SECRET, ratelimit: { enabled: true, interval: '60s', max } },
      },
    },
  })

  test.each([
    [
      'as they are',
      (_: number) => ({ path: '/api/auth/local', body: { identifier: 'alice', password: 'x' } }),
    ],
    [
      'whatever the query',
      (n: number) => ({ path: `/api/auth/local?x=${n}`, body: { identifier: 'alice', password: 'x' } }),
    ],
    [
      'with a slash',
      (n: number) => ({
        path: n % 2 ? '/api/auth/local/' : '/api/auth/local',
        body: { identifier: 'alice', password: 'x' },
      }),
    ],
    [
      'encoded',
      (n: number) => ({
        path: n % 2 ? '/api/auth/%6cocal' : '/api/auth/local',
        body: { identifier: 'alice', password: 'x' },
      }),
    ],
    [
      'whatever else the body says',
      (n: number) => ({
        path: '/api/auth/local',
        body: { identifier: 'alice', password: 'x', email: `${n}@x.io` },
      }),
    ],
    [
      'in another case',
      (n: number) => ({
        path: '/api/auth/local',
        body: { identifier: n % 2 ? 'ALICE ' : 'alice', password: 'x' },
      }),
    ],
    [
      'of codes',
      (n: number) => ({
        path: '/api/auth/reset-password',
        body: { code: `guess${n}`, password: 'brand new', passwordConfirmation: 'brand new' },
      }),
    ],
    [
      'of registrations',
      (n: number) => ({
        path: '/api/auth/local/register',
        body: { username: `user${n}`, email: `${n}@x.io`, password: 'secret1' },
      }),
    ],
  ])('%s', async (_, make) => {
    const { cms } = await open(limited(3))
    const statuses: number[] = []
    let last: Response | undefined
    for (let n = 0; n < 5; n++) {
      const { path, body } = make(n)
      last = await cms.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.${n}` },
        body: JSON.stringify(body),
      })
      statuses.push(last.status)
    }
    expect(statuses.slice(3)).toEqual([429, 429])
    expect(statuses.slice(0, 3)).not.toContain(429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(await last?.json()).toMatchObject({
      error: { name: 'RateLimitError', message: 'Too many requests, please try again later.' },
    })
  })

  test('and stay counted when the file is edited', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cms-run-tries-'))
    const file = join(folder, 'cms.json')
    const write = (max: number) => writeFile(file, JSON.stringify({ ...accountsConfig, ...limited(max) }))
    await write(2)
    await using cms = await createCms(file, { env: {} })
    const attempt = async () =>
      (
        await cms.fetch('/api/auth/local', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"identifier":"alice","password":"x"}',
        })
      ).status
    expect([await attempt(), await attempt(), await attempt()]).toEqual([400, 400, 429])
    await write(3)
    await cms.reload()
    expect([await attempt(), await attempt()]).toEqual([400, 429])
    await rm(folder, { recursive: true })
  })

  test('for each name by itself', async () => {
    const { post, logIn } = await open(limited(2))
    for (let n = 0; n < 4; n++) await post('/api/auth/local', { identifier: 'alice', password: 'x' })
    await logIn('eve', 'Passw0rd!eve')
  })
})

describe('the secret of tokens', () => {
  const configured = (config: Record<string, unknown>, environment: string) => ({
    server: { environment },
    contentTypes: {},
    plugins: { 'users-permissions': { config } },
  })

  test.each([
    [{}, 'PLG001'],
    [{ jwtSecret: '' }, 'PLG001'],
    [{ jwtSecret: 'short' }, 'PLG002'],
    [{ jwtSecret: 'tobemodified' }, 'PLG002'],
    [{ jwtSecret: 'secret'.repeat(10) }, 'PLG002'],
    [{ jwtSecret: ['a'.repeat(40), 'short'] }, 'PLG002'],
  ])('%j stops a load in production', async (config, code) => {
    const opening = createCms(configured(config, 'production'), { env: {} })
    const error = await opening.then(() => undefined).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as ConfigError).diagnostics.map((one) => one.code)).toContain(code)
    expect((error as ConfigError).message).not.toContain('short')
  })

  test.each([{}, { jwtSecret: 'short' }])('%j is taken in development', async (config) => {
    await using cms = await createCms(configured(config, 'development'), { env: {} })
    expect((await cms.fetch('/api/users/me')).status).toBe(403)
  })

  test('a file without users needs none', async () => {
    await using cms = await createCms(
      { server: { environment: 'production' }, contentTypes: {} },
      { env: {} },
    )
    expect((await cms.fetch('/api/nothing')).status).toBe(404)
  })

  test('is rotated by a list: the newest signs, all verify', async () => {
    const rotating = (jwtSecret: unknown) =>
      open({ plugins: { 'users-permissions': { config: { jwtSecret, ratelimit: { enabled: false } } } } })
    const old = await rotating(SECRET)
    const token = await old.logIn('alice', 'Passw0rd!alice')
    const both = await rotating(['b'.repeat(40), SECRET])
    expect((await both.get('/api/users/me', token)).status).toBe(200)
    const newest = await both.logIn('alice', 'Passw0rd!alice')
    const only = await rotating('b'.repeat(40))
    expect((await only.get('/api/users/me', newest)).status).toBe(200)
    expect((await only.get('/api/users/me', token)).status).toBe(401)
  })
})

describe('without a word about accounts in its permissions', () => {
  const file = (parts: object): Readonly<Record<string, unknown>> => ({
    contentTypes: { note: { attributes: { text: 'string' } } },
    ...parts,
  })
  const newcomer = { username: 'eve', email: 'eve@example.com', password: 'Passw0rd!eve' }

  test('a file that speaks of users lets everyone register, and users see themselves', async () => {
    const cms = await createCms(file({ plugins: { 'users-permissions': true } }), { env: {} })
    const post = (path: string, body: unknown, token?: string) =>
      cms.fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      })
    const registered = await post('/api/auth/local/register', newcomer)
    expect(registered.status).toBe(200)
    const { jwt } = (await registered.json()) as { jwt: string }
    const me = await cms.fetch('/api/users/me', { headers: { authorization: `Bearer ${jwt}` } })
    expect(await me.json()).toMatchObject({ username: 'eve' })
    const passwords = {
      currentPassword: 'Passw0rd!eve',
      password: 'Passw0rd!2',
      passwordConfirmation: 'Passw0rd!2',
    }
    expect((await post('/api/auth/change-password', passwords, jwt)).status).toBe(200)
    expect((await cms.fetch('/api/users')).status).toBe(403)
    await cms.close()
  })

  test.each([
    ['that says nothing of them', {}],
    [
      'whose list names one action of the plugin',
      { public: ['note', 'plugin::users-permissions.auth.callback'] },
    ],
    ['that switches them off', { plugins: { 'users-permissions': false } }],
  ])('a file %s lets nobody register', async (_, parts) => {
    const cms = await createCms(file(parts), { env: {} })
    const body = JSON.stringify(newcomer)
    const headers = { 'content-type': 'application/json' }
    const { status } = await cms.fetch('/api/auth/local/register', { method: 'POST', headers, body })
    expect([403, 404, 405]).toContain(status)
    await cms.close()
  })

  test('a role has what it extends, whatever that extends, and no more', async () => {
    const roles = {
      public: ['note'],
      author: { extends: 'public', permissions: ['note.create'] },
      editor: { extends: ['author'] },
    }
    const users = ['author', 'editor'].map((role) => ({
      username: role,
      email: `${role}@example.com`,
      password: 'Passw0rd!',
      role,
    }))
    const cms = await createCms(file({ auth: { roles }, users, data: { notes: [{ text: 'a' }] } }), {
      env: {},
    })
    for (const { username: identifier, password } of users) {
      const body = JSON.stringify({ identifier, password })
      const headers = { 'content-type': 'application/json' }
      const login = await cms.fetch('/api/auth/local', { method: 'POST', headers, body })
      const { jwt } = (await login.json()) as { jwt: string }
      const withToken = { ...headers, authorization: `Bearer ${jwt}` }
      const statusOf = async (method: string, path: string): Promise<number> => {
        const init = method === 'GET' ? {} : { body: JSON.stringify({ data: { text: 'b' } }) }
        return (await cms.fetch(path, { method, headers: withToken, ...init })).status
      }
      expect(await statusOf('GET', '/api/notes')).toBe(200)
      expect(await statusOf('GET', '/api/notes/1')).toBe(200)
      expect(await statusOf('POST', '/api/notes')).toBe(200)
      expect(await statusOf('PUT', '/api/notes/1')).toBe(403)
    }
    await cms.close()
  })
})
