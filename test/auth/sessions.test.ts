// Sessions (`jwtManagement: refresh`): tokens are exchanged once, sessions end when they should, over every database.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { accountsConfig, SECRET } from './open-accounts.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

const config = {
  ...accountsConfig,
  plugins: {
    email: true,
    graphql: true,
    'users-permissions': {
      config: {
        jwtSecret: SECRET,
        ratelimit: { enabled: false },
        jwtManagement: 'refresh',
        sessions: {
          accessTokenLifespan: 600,
          idleRefreshTokenLifespan: '14d',
          maxRefreshTokenLifespan: '30d',
        },
      },
    },
  },
  auth: {
    ...accountsConfig.auth,
    apiTokens: [{ name: 'reading', type: 'read-only', token: 'reading-token' }],
    roles: {
      public: { permissions: ['plugin::users-permissions.auth.*'] },
      authenticated: {
        permissions: ['plugin::users-permissions.auth.*', 'plugin::users-permissions.user.me'],
      },
      editor: { name: 'Editor', permissions: ['plugin::users-permissions.*'] },
    },
  },
}

interface Tokens {
  readonly jwt: string
  readonly refreshToken: string
}

interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any route
  readonly body: any
}

const ask = async (
  cms: Cms,
  method: string,
  path: string,
  { body, jwt, agent }: { body?: unknown; jwt?: string; agent?: string } = {},
): Promise<Answered> => {
  const response = await cms.fetch(path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(jwt !== undefined && { authorization: `Bearer ${jwt}` }),
      ...(agent !== undefined && { 'user-agent': agent }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
}
const logIn = async (cms: Cms, name = 'alice', more: object = {}, agent?: string): Promise<Tokens> => {
  const body = { identifier: name, password: `Passw0rd!${name}`, ...more }
  const answer = await ask(cms, 'POST', '/api/auth/local', { body, ...(agent !== undefined && { agent }) })
  expect(answer.status).toBe(200)
  return answer.body
}
const refresh = (cms: Cms, refreshToken: string): Promise<Answered> =>
  ask(cms, 'POST', '/api/auth/refresh', { body: { refreshToken } })
const me = async (cms: Cms, jwt: string): Promise<number> =>
  (await ask(cms, 'GET', '/api/users/me', { jwt })).status
const sessionsOf = async (cms: Cms, jwt: string) =>
  (await ask(cms, 'GET', '/api/auth/sessions', { jwt })).body.data as readonly {
    readonly id: string
    readonly deviceId?: string
    readonly deviceName?: string
    readonly current: boolean
  }[]

const clients = ['memory', 'sqlite', ...(await serversHere())] as const

describe.each(clients)('over %s', (client) => {
  let database: TestDatabase
  let cms: Cms

  beforeAll(async () => {
    database = await openTestDatabase(client)
    cms = await createCms(config, { env: {}, ...database.options })
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })

  test('a refresh token is exchanged once; a second time, it ends its session', async () => {
    const first = await logIn(cms)
    const second = await refresh(cms, first.refreshToken)
    expect(second.status).toBe(200)
    expect(Object.keys(second.body)).toEqual(['jwt', 'refreshToken'])
    expect(await me(cms, second.body.jwt)).toBe(200)
    const other = await logIn(cms)

    const again = await refresh(cms, first.refreshToken)
    expect([again.status, again.body.error.message]).toEqual([401, 'Invalid refresh token'])
    expect((await refresh(cms, second.body.refreshToken)).status).toBe(401)
    expect((await refresh(cms, other.refreshToken)).status).toBe(200)
  })

  test('of two exchanges at once, one succeeds at most', async () => {
    const { refreshToken } = await logIn(cms)
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(cms, refreshToken)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    const [won] = answers.filter(({ status }) => status === 200)
    expect((await refresh(cms, won?.body.refreshToken)).status).toBe(401)
  })

  test('sessions are listed and ended by their user only', async () => {
    await ask(cms, 'POST', '/api/auth/logout', { jwt: (await logIn(cms)).jwt, body: { scope: 'all' } })
    const phone = await logIn(cms, 'alice', { deviceId: 'phone' }, CHROME)
    const laptop = await logIn(cms, 'alice', { deviceId: 'laptop' })
    const listed = await sessionsOf(cms, laptop.jwt)
    expect(listed.map(({ deviceId, deviceName, current }) => [deviceId, deviceName, current])).toEqual([
      ['laptop', undefined, true],
      ['phone', 'Chrome on Windows', false],
    ])
    const eve = await logIn(cms, 'eve')
    const path = `/api/auth/sessions/${listed[1]?.id}`
    expect((await ask(cms, 'DELETE', path, { jwt: eve.jwt })).status).toBe(404)
    expect((await ask(cms, 'DELETE', path)).status).toBe(401)
    expect(await ask(cms, 'DELETE', path, { jwt: laptop.jwt })).toEqual({ status: 200, body: { data: {} } })
    expect((await ask(cms, 'DELETE', path, { jwt: laptop.jwt })).status).toBe(404)
    expect((await refresh(cms, phone.refreshToken)).status).toBe(401)
    const refreshed = await refresh(cms, laptop.refreshToken)
    expect(refreshed.status).toBe(200)
    expect(await sessionsOf(cms, refreshed.body.jwt)).toMatchObject([{ deviceId: 'laptop', current: true }])
  })

  test('who has the permissions lists and ends the sessions of others, by the id of a user', async () => {
    const eve = (await logIn(cms, 'eve')).jwt
    const [phone, laptop] = [await logIn(cms, 'alice', { deviceId: 'phone' }), await logIn(cms)]
    const { body: alice } = await ask(cms, 'GET', '/api/users/me', { jwt: phone.jwt })
    const path = `/api/users/${alice.id}/sessions`
    const listed = await ask(cms, 'GET', path, { jwt: eve })
    expect(listed.status).toBe(200)
    const named = listed.body.data.find(({ deviceId }: { deviceId?: string }) => deviceId === 'phone')
    expect(Object.keys(named).sort()).toEqual(['current', 'deviceId', 'id', 'lastActiveAt', 'loginAt'])
    expect(named.current).toBe(false)
    expect(JSON.stringify(listed.body)).not.toContain(phone.refreshToken)

    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['DELETE', `${path}/${named.id}`],
    ] as const) {
      // Not even of one's own, nor with a token that may only read.
      expect([method, (await ask(cms, method, at, { jwt: laptop.jwt })).status]).toEqual([method, 403])
      expect([method, (await ask(cms, method, at)).status]).toEqual([method, 403])
      expect([method, (await ask(cms, method, at, { jwt: 'reading-token' })).status]).toEqual([method, 403])
    }
    const end = (at: string) => ask(cms, 'DELETE', at, { jwt: eve })
    expect(await end(`${path}/${named.id}`)).toEqual({ status: 200, body: { data: {} } })
    expect((await end(`${path}/${named.id}`)).status).toBe(404)
    expect((await refresh(cms, phone.refreshToken)).status).toBe(401)
    const { body: next } = await refresh(cms, laptop.refreshToken)
    const { body: left } = await ask(cms, 'GET', path, { jwt: eve })
    expect(await end(path)).toEqual({ status: 200, body: { data: { ended: left.data.length } } })
    expect((await refresh(cms, next.refreshToken)).status).toBe(401)
    expect((await ask(cms, 'GET', path, { jwt: eve })).body).toEqual({ data: [] })
    // An id of another user's session, and users that there are not.
    const { id } = (await sessionsOf(cms, eve))[0] ?? {}
    expect((await end(`${path}/${id}`)).status).toBe(404)
    for (const user of ['999', 'me', 'x', '1e99', '%00'])
      expect([user, (await end(`/api/users/${user}/sessions`)).status]).toEqual([user, 404])
  })

  test('a login of a device ends the session that it had', async () => {
    const before = await logIn(cms, 'alice', { deviceId: 'tablet' })
    await logIn(cms, 'alice', { deviceId: 'tablet' })
    expect((await refresh(cms, before.refreshToken)).status).toBe(401)
  })

  test('a logout ends its own session, that of a device, or all', async () => {
    const [one, two, three, four] = [
      await logIn(cms),
      await logIn(cms, 'alice', { deviceId: 'two' }),
      await logIn(cms),
      await logIn(cms),
    ]
    const logOut = (jwt: string, body: object) => ask(cms, 'POST', '/api/auth/logout', { jwt, body })
    expect(await logOut(one.jwt, {})).toEqual({ status: 200, body: { ok: true } })
    expect((await refresh(cms, one.refreshToken)).status).toBe(401)
    await logOut(four.jwt, { deviceId: 'two' })
    expect((await refresh(cms, two.refreshToken)).status).toBe(401)
    await logOut(four.jwt, { refreshToken: three.refreshToken })
    expect((await refresh(cms, three.refreshToken)).status).toBe(401)
    await logOut(four.jwt, { scope: 'all' })
    expect((await refresh(cms, four.refreshToken)).status).toBe(401)
  })

  test('a new password, a block and a deletion end all sessions, for good', async () => {
    const password = 'a new one'
    const register = (username: string) =>
      ask(cms, 'POST', '/api/auth/local/register', {
        body: { username, email: `${username}@example.com`, password: 'the old one' },
      })
    const { body: changing } = await register(`changing-${client}`)
    const body = { currentPassword: 'the old one', password, passwordConfirmation: password }
    const changed = await ask(cms, 'POST', '/api/auth/change-password', { jwt: changing.jwt, body })
    expect((await refresh(cms, changing.refreshToken)).status).toBe(401)
    expect(await me(cms, changing.jwt)).toBe(401)
    expect((await refresh(cms, changed.body.refreshToken)).status).toBe(200)

    const { body: blocked } = await register(`blocked-${client}`)
    const users = cms.entries('plugin::users-permissions.user')
    await users.update(blocked.user.id, { blocked: true })
    await users.update(blocked.user.id, { blocked: false })
    expect((await refresh(cms, blocked.refreshToken)).status).toBe(401)
    expect(await me(cms, blocked.jwt)).toBe(401)

    const { body: deleted } = await register(`deleted-${client}`)
    await users.delete(deleted.user.id)
    expect((await refresh(cms, deleted.refreshToken)).status).toBe(401)
  })

  test('a session ends without refreshes, and at last with them', async () => {
    const idle = await logIn(cms)
    const busy = await logIn(cms)
    let { jwt, refreshToken } = busy
    cms.advance('11min')
    expect(await me(cms, jwt)).toBe(401)
    for (let day = 0; day < 29; day += 10) {
      const next = await refresh(cms, refreshToken)
      expect(next.status).toBe(200)
      ;({ jwt, refreshToken } = next.body)
      expect(await me(cms, jwt)).toBe(200)
      cms.advance(10 * DAY - MINUTE)
    }
    expect((await refresh(cms, idle.refreshToken)).status).toBe(401)
    cms.advance('1h')
    expect((await refresh(cms, refreshToken)).status).toBe(401)
    expect(await sessionsOf(cms, (await logIn(cms)).jwt)).toHaveLength(1)
  })

  test.skipIf(client === 'memory')(
    'processes of one database share sessions, and a restart keeps them',
    async () => {
      const { refreshToken } = await logIn(cms)
      if (client === 'sqlite') await cms.close()
      const other = await createCms(config, { env: {}, ...database.options })
      try {
        const both = client === 'sqlite' ? [other] : [cms, other]
        const answers = await Promise.all(both.map((one) => refresh(one, refreshToken)))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      } finally {
        await other.close()
      }
    },
  )
})

test('a rule that hides users hides their sessions', async () => {
  const only = { 'plugin::users-permissions.user.findOne': { where: 'username != "eve"' } }
  const lead = { permissions: [only, 'plugin::users-permissions.session.*'] }
  await using cms = await createCms(
    {
      ...config,
      auth: {
        ...config.auth,
        roles: { ...config.auth.roles, lead },
        users: [
          ...config.auth.users,
          { username: 'lea', email: 'lea@example.com', password: 'Passw0rd!lea', role: 'lead' },
        ],
      },
    },
    { env: {} },
  )
  const { jwt } = await logIn(cms, 'lea')
  const eve = await logIn(cms, 'eve')
  const of = async (name: string) => {
    const users = cms.entries('plugin::users-permissions.user')
    const [user] = await users.findMany({ filters: { username: name } })
    return `/api/users/${user?.id}/sessions`
  }
  expect((await ask(cms, 'GET', await of('alice'), { jwt })).status).toBe(200)
  expect(await ask(cms, 'GET', await of('eve'), { jwt })).toEqual(
    await ask(cms, 'GET', '/api/users/999/sessions', { jwt }),
  )
  expect((await ask(cms, 'DELETE', await of('eve'), { jwt })).status).toBe(404)
  expect((await refresh(cms, eve.refreshToken)).status).toBe(200)
})

test('the routes are described, with what they answer', async () => {
  const file = join(newFolder(), 'cms.yaml')
  writeFileSync(file, JSON.stringify(config))
  const { code, out } = await runCommand(['openapi', file], { cwd: '/' })
  expect(code).toBe(0)
  const { paths } = JSON.parse(out)
  const of = (path: string, method: string) =>
    paths[path][method].responses['200'].content['application/json'].schema
  const listed = of('/api/users/{id}/sessions', 'get')
  expect(listed).toEqual(of('/api/auth/sessions', 'get'))
  expect(Object.keys(listed.properties.data.items.properties)).toContain('lastActiveAt')
  expect(of('/api/users/{id}/sessions', 'delete').properties.data.properties).toHaveProperty('ended')
  expect(of('/api/users/{id}/sessions/{sessionId}', 'delete')).toBeDefined()
})

test('without sessions there are no such routes and permissions', async () => {
  await using cms = await createCms(accountsConfig, { env: {} })
  const eve = (await logIn(cms, 'eve')).jwt
  expect((await ask(cms, 'GET', '/api/users/1/sessions', { jwt: eve })).status).toBe(404)
  const lead = { permissions: ['plugin::users-permissions.session.list'] }
  await expect(
    createCms({ ...accountsConfig, auth: { ...accountsConfig.auth, roles: { lead } } }, { env: {} }),
  ).rejects.toThrow(/plugin::users-permissions\.session\.list/)
})

test('nothing but digests of refresh tokens is stored', async () => {
  await using cms = await createCms(config, { env: {} })
  const { refreshToken } = await logIn(cms)
  const bytes = Buffer.concat(cms.snapshot().pages.map((page) => Buffer.from(page)))
  expect(bytes.includes('cms_run_sessions')).toBe(true)
  expect(bytes.includes(refreshToken)).toBe(false)
  expect(bytes.includes(refreshToken.slice(-40))).toBe(false)
  expect(bytes.includes(Buffer.from(refreshToken, 'base64url'))).toBe(false)
})

test('restore() puts sessions back as they were', async () => {
  await using cms = await createCms(config, { env: {} })
  const { refreshToken } = await logIn(cms)
  const before = cms.snapshot()
  const { body } = await refresh(cms, refreshToken)
  cms.restore(before)
  expect((await refresh(cms, body.refreshToken)).status).toBe(401)
  cms.restore(before)
  expect((await refresh(cms, refreshToken)).status).toBe(200)
  await using other = await createCms(config, { env: {} })
  expect((await refresh(other, refreshToken)).status).toBe(401)
})

test('no user has more than a hundred sessions', async () => {
  await using cms = await createCms(config, { env: {} })
  const first = await logIn(cms)
  const second = await logIn(cms)
  for (let count = 2; count < 101; count++) await logIn(cms)
  expect((await refresh(cms, first.refreshToken)).status).toBe(401)
  expect((await refresh(cms, second.refreshToken)).status).toBe(200)
})

test('an access token that ends a session lives on until it expires, and lists no more', async () => {
  await using cms = await createCms(config, { env: {} })
  const { jwt } = await logIn(cms)
  await ask(cms, 'POST', '/api/auth/logout', { jwt, body: {} })
  expect(await me(cms, jwt)).toBe(200)
  expect(await sessionsOf(cms, jwt)).toEqual([])
})

test('tokens of one kind are none of the other', async () => {
  const { jwtManagement: _, sessions: __, ...legacy } = config.plugins['users-permissions'].config
  await using before = await createCms(
    { ...config, plugins: { ...config.plugins, 'users-permissions': { config: legacy } } },
    { env: {} },
  )
  await using cms = await createCms(config, { env: {} })
  const old = await logIn(before)
  expect(old.refreshToken).toBeUndefined()
  expect(await me(before, old.jwt)).toBe(200)
  expect(await me(cms, old.jwt)).toBe(401)
  expect(await me(before, (await logIn(cms)).jwt)).toBe(401)
  expect((await refresh(before, 'x')).status).toBe(404)
})

test('cms.as() works, and GraphQL gives refresh tokens', async () => {
  await using cms = await createCms(config, { env: {} })
  expect((await cms.as('alice')('/api/users/me')).status).toBe(200)
  const query = 'mutation ($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt refreshToken } }'
  const variables = { input: { identifier: 'alice', password: 'Passw0rd!alice' } }
  const { body } = await ask(cms, 'POST', '/graphql', { body: { query, variables } })
  expect((await refresh(cms, body.data.login.refreshToken)).status).toBe(200)
})

test('whatever is sent as a refresh token is a 400 or a 401', async () => {
  await using cms = await createCms(config, { env: {} })
  const { refreshToken } = await logIn(cms)
  const changed = fc
    .nat(refreshToken.length - 1)
    .map(
      (at) => refreshToken.slice(0, at) + (refreshToken[at] === 'A' ? 'B' : 'A') + refreshToken.slice(at + 1),
    )
  const random = fc
    .uint8Array({ minLength: 48, maxLength: 48 })
    .map((b) => Buffer.from(b).toString('base64url'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), random), async (value) => {
      const { status } = await ask(cms, 'POST', '/api/auth/refresh', { body: { refreshToken: value } })
      expect(status).toBe(typeof value === 'string' && value !== '' ? 401 : 400)
    }),
    { numRuns: 60 },
  )
  await fc.assert(
    fc.asyncProperty(changed, async (text) => {
      expect((await refresh(cms, text)).status).toBe(401)
    }),
    { numRuns: 20 },
  )
})

/** What a chain of logins, refreshes and logouts should leave: the simplest description of sessions. */
test('any order of logins, exchanges and logouts does what a list of valid tokens says', async () => {
  await using cms = await createCms(config, { env: {} })
  const before = cms.snapshot()
  const step = fc.record({ kind: fc.constantFrom('log in', 'refresh', 'refresh', 'log out'), at: fc.nat() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      cms.restore(before)
      const all: { session: number; tokens: Tokens; valid: boolean }[] = []
      let count = 0
      for (const { kind, at } of steps) {
        if (kind === 'log in' || all.length === 0) {
          all.push({ session: count++, tokens: await logIn(cms), valid: true })
          continue
        }
        const chosen = all[at % all.length] as (typeof all)[number]
        const end = () => {
          for (const one of all) if (one.session === chosen.session) one.valid = false
        }
        if (kind === 'log out') {
          await ask(cms, 'POST', '/api/auth/logout', { jwt: chosen.tokens.jwt, body: {} })
          end()
          continue
        }
        const { status, body } = await refresh(cms, chosen.tokens.refreshToken)
        expect(status).toBe(chosen.valid ? 200 : 401)
        if (chosen.valid) {
          chosen.valid = false
          all.push({ session: chosen.session, tokens: body, valid: true })
        } else end()
      }
      const [anyone] = all
      const listed = await sessionsOf(cms, anyone?.tokens.jwt ?? '')
      expect(listed).toHaveLength(all.filter(({ valid }) => valid).length)
    }),
    { numRuns: process.env['LONG'] === '1' ? 500 : 15 },
  )
})
