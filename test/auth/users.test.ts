import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Asking, openAccounts } from './open-accounts.ts'

let ask: Asking
let seeded: ReturnType<Asking['cms']['snapshot']>
let editor: string
let alice: string
beforeAll(async () => {
  ask = await openAccounts()
  seeded = ask.cms.snapshot()
  editor = await ask.logIn('eve', 'Passw0rd!eve')
  alice = await ask.logIn('alice', 'Passw0rd!alice')
})
beforeEach(() => ask.cms.restore(seeded))
afterAll(() => ask.cms.close())

const names = (body: unknown): readonly unknown[] =>
  (body as { username: string }[]).map(({ username }) => username)

test.each<readonly [object, readonly (readonly [string, string])[]]>([
  [{ username: 'ab' }, [['username', 'username must be at least 3 characters']]],
  [{ password: 'short' }, [['password', 'password must be at least 6 characters']]],
  [
    { password: 'x', username: 'y' },
    [
      ['username', 'username must be at least 3 characters'],
      ['password', 'password must be at least 6 characters'],
    ],
  ],
  [{ email: 'a@b' }, [['email', 'email must be a valid email']]],
  [
    { email: '', username: '', password: '' },
    [
      ['email', 'email must be at least 1 characters'],
      ['username', 'username must be at least 1 characters'],
      ['password', 'password must be at least 1 characters'],
    ],
  ],
  [
    { confirmed: 'maybe' },
    [['confirmed', 'confirmed must be a `boolean` type, but the final value was: `"maybe"`.']],
  ],
])('a change to %j names every fault with its path', async (body, faults) => {
  const errors = faults.map(([name, message]) => ({ path: [name], message, name: 'ValidationError' }))
  expect(await ask.send('PUT', '/api/users/2', body, editor)).toMatchObject({
    status: 400,
    body: { error: { name: 'ValidationError', details: { errors } } },
  })
})

test('names that are no attributes are refused', async () => {
  const errors = [
    { path: ['usernam'], message: 'Unknown attribute usernam, did you mean username?' },
    { path: ['nicnkame'], message: 'Unknown attribute nicnkame, did you mean nickname?' },
  ]
  expect(
    await ask.send('PUT', '/api/users/2', { id: 2, provider: 'local', usernam: 'x', nicnkame: 'y' }, editor),
  ).toMatchObject({ status: 400, body: { error: { name: 'ValidationError', details: { errors } } } })
  const made = { username: 'frank', email: 'frank@example.com', password: 'secret1', role: 1 }
  const message = errors.map((one) => one.message).join('; ')
  expect(await ask.post('/api/users', { ...made, usernam: 'x', nicnkame: 'y' }, editor)).toMatchObject({
    status: 400,
    body: {
      error: { name: 'ApplicationError', message: '2 errors occurred', details: { explain: { message } } },
    },
  })
  expect(await ask.post('/api/users-permissions/roles', { nam: 'Guest' }, editor)).toMatchObject({
    status: 400,
    body: { error: { name: 'ValidationError', message: 'Unknown attribute nam, did you mean name?' } },
  })
})

describe('reading', () => {
  test.each([
    ['', ['alice', 'eve', 'dave', 'nobody']],
    ['?start=1&limit=2', ['eve', 'dave']],
    ['?filters[blocked]=true', ['dave']],
    ['?filters[role][type]=editor', ['eve']],
    ['?sort=username:desc&limit=1', ['nobody']],
    ['?_q=alice', ['alice']],
  ])('/api/users%s', async (query, expected) => {
    const { status, body } = await ask.get(`/api/users${query}`, editor)
    expect([status, names(body)]).toEqual([200, expected])
  })

  test.each(['password', 'resetPasswordToken', 'confirmationToken', 'tokenEpoch', 'iban'])(
    '%s cannot be filtered, sorted or selected by',
    async (name) => {
      for (const query of [`filters[${name}][$notNull]=true`, `sort=${name}`, `fields=${name}`]) {
        expect(await ask.get(`/api/users?${query}`, 'full-token')).toMatchObject({
          status: 400,
          body: { error: { message: `Invalid parameter ${name}` } },
        })
      }
    },
  )

  test('nothing private is answered, by any route', async () => {
    await ask.cms.entries('plugin::users-permissions.user').update(1, { iban: 'IBAN-CANARY' })
    for (const path of [
      '/api/users?populate=*',
      '/api/users/1?populate=*',
      '/api/users-permissions/roles/1',
    ]) {
      const { status, body } = await ask.get(path, editor)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/IBAN-CANARY|argon2|tokenEpoch|Token"/)
    }
  })

  test.each(['limit=0', 'limit=-2', 'limit=x', 'start=-1', 'start=1.5', 'nope=1'])(
    '?%s is refused',
    async (query) => {
      expect(await ask.get(`/api/users?${query}`, editor)).toMatchObject({
        status: 400,
        body: { error: { name: 'ValidationError' } },
      })
    },
  )

  test('counted, with filters', async () => {
    expect(await ask.get('/api/users/count', editor)).toEqual({ status: 200, body: 4 })
    expect(await ask.get('/api/users/count?filters[blocked]=true', editor)).toEqual({ status: 200, body: 1 })
  })

  test('oneself, with the role where one may see roles', async () => {
    expect((await ask.get('/api/users/me?populate=role', editor)).body).toMatchObject({
      role: { type: 'editor' },
    })
    expect((await ask.get('/api/users/me?populate=role', alice)).body).not.toHaveProperty('role')
    expect(await ask.get('/api/users/me', 'full-token')).toMatchObject({ status: 401 })
  })

  test.each(['/api/users/99', '/api/users/x', '/api/users/1.5'])('%s is not there', async (path) => {
    expect(await ask.get(path, editor)).toMatchObject({ status: 404 })
  })
})

describe('writing', () => {
  const made = { username: 'made', email: 'Made@Example.com', password: 'secret1', role: 1 }

  test('a user with its own attributes', async () => {
    expect(await ask.post('/api/users', { ...made, nickname: 'm' }, editor)).toMatchObject({
      status: 201,
      body: {
        email: 'made@example.com',
        nickname: 'm',
        provider: 'local',
        confirmed: false,
        role: { type: 'authenticated' },
      },
    })
    await ask.logIn('made', 'secret1')
  })

  test('what a login rests on is never taken from a body', async () => {
    const token = await ask.logIn('alice', 'Passw0rd!alice')
    const body = {
      resetPasswordToken: 'hack',
      confirmationToken: 'hack',
      provider: 'github',
      tokenEpoch: 99,
      id: 50,
    }
    expect(await ask.send('PUT', '/api/users/1', body, editor)).toMatchObject({
      status: 200,
      body: { id: 1, provider: 'local' },
    })
    expect((await ask.get('/api/users/me', token)).status).toBe(200)
    const bytes = Buffer.concat(ask.cms.snapshot().pages)
    expect(bytes.includes('hack')).toBe(false)
  })

  test.each([
    ['POST', '/api/users', { ...made, role: undefined }, 400, 'role is a required field'],
    [
      'POST',
      '/api/users',
      { ...made, role: 99 },
      400,
      '1 relation(s) of type plugin::users-permissions.role associated with this entity do not exist',
    ],
    ['POST', '/api/users', { ...made, email: 'ALICE@example.com' }, 400, 'Email already taken'],
    ['POST', '/api/users', { ...made, username: 'alice' }, 400, 'This attribute must be unique'],
    ['PUT', '/api/users/2', { username: 'alice' }, 400, 'Username already taken'],
    ['PUT', '/api/users/2', { email: 'alice@example.com' }, 400, 'Email already taken'],
    ['PUT', '/api/users/2', { role: null }, 400, 'Cannot remove role'],
    ['PUT', '/api/users/2', { role: { disconnect: [3] } }, 400, 'Cannot remove role'],
    ['PUT', '/api/users/99', { username: 'xyz' }, 404, 'User not found'],
    ['PUT', '/api/users/me', { username: 'xyz' }, 404, 'User not found'],
    ['DELETE', '/api/users/99', undefined, 404, 'Not Found'],
  ])('%s %s %j: %i', async (method, path, body, status, message) => {
    expect(await ask.send(method, path, body, editor)).toMatchObject({ status, body: { error: { message } } })
  })

  test.each([
    ['POST', '/api/users', made],
    ['PUT', '/api/users/2', { username: 'pwned' }],
    ['PUT', '/api/users/1', { role: 3 }],
    ['DELETE', '/api/users/2', undefined],
  ])('%s %s is not for everybody', async (method, path, body) => {
    for (const token of [alice, undefined])
      expect((await ask.send(method, path, body, token)).status).toBe(403)
  })
})

test('the tokens of a deleted user are not those of the next one', async () => {
  const created = await ask.post(
    '/api/users',
    { username: 'first', email: 'f@x.io', password: 'secret1', role: 1 },
    editor,
  )
  const { id } = created.body as { id: number }
  const token = await ask.logIn('first', 'secret1')
  await ask.send('DELETE', `/api/users/${id}`, undefined, editor)
  await ask.post('/api/users', { username: 'second', email: 's@x.io', password: 'secret1', role: 1 }, editor)
  expect((await ask.get('/api/users/me', token)).status).toBe(401)
})
