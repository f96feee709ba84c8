import { hash as bcrypt } from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Asking, accountsConfig, openAccounts } from './open-accounts.ts'

let ask: Asking
beforeEach(async () => {
  ask = await openAccounts()
})
afterEach(() => ask.cms.close())

const PASSWORD = 'Passw0rd!alice'
const refused = {
  status: 400,
  body: {
    data: null,
    error: { status: 400, name: 'ValidationError', message: 'Invalid identifier or password', details: {} },
  },
}

test.each(['alice', 'alice@example.com', 'ALICE@EXAMPLE.COM'])('%s logs in', async (identifier) => {
  const token = await ask.logIn(identifier, PASSWORD)
  expect(await ask.get('/api/users/me', token)).toMatchObject({ status: 200, body: { username: 'alice' } })
})

test.each([
  ['a wrong password', 'alice', 'wrong'],
  ['nobody of that name', 'unknown', PASSWORD],
  ['another case of the name', 'ALICE', PASSWORD],
  ['a blocked user with a wrong password', 'dave', 'wrong'],
  ['a user without a password', 'nobody', ''.padEnd(6, 'x')],
  ['the name as a pattern', 'ali%', PASSWORD],
  ['a password of a megabyte', 'alice', 'x'.repeat(2000)],
])('%s', async (_, identifier, password) => {
  const answer = await ask.post('/api/auth/local', { identifier, password })
  if (password.length < 2000) expect(answer).toEqual(refused)
  else expect(answer).toMatchObject({ status: 400, body: { error: { name: 'ValidationError' } } })
})

test('a blocked user with the right password is told', async () => {
  expect(await ask.post('/api/auth/local', { identifier: 'dave', password: 'Passw0rd!dave' })).toMatchObject({
    status: 400,
    body: {
      error: { name: 'ApplicationError', message: 'Your account has been blocked by an administrator' },
    },
  })
})

test('a token ends when the password changes; the new one works', async () => {
  const before = await ask.logIn('alice', PASSWORD)
  const changed = await ask.post(
    '/api/auth/change-password',
    { currentPassword: PASSWORD, password: 'another one', passwordConfirmation: 'another one' },
    before,
  )
  const after = (changed.body as { jwt: string }).jwt
  expect((await ask.get('/api/users/me', before)).status).toBe(401)
  expect((await ask.get('/api/users/me', after)).status).toBe(200)
  expect(await ask.post('/api/auth/local', { identifier: 'alice', password: PASSWORD })).toEqual(refused)
  await ask.logIn('alice', 'another one')
})

test('a token ends when somebody else sets the password, blocks or deletes the user', async () => {
  const editor = await ask.logIn('eve', 'Passw0rd!eve')
  let token = await ask.logIn('alice', PASSWORD)
  expect((await ask.send('PUT', '/api/users/1', { password: 'set by eve' }, editor)).status).toBe(200)
  expect((await ask.get('/api/users/me', token)).status).toBe(401)
  token = await ask.logIn('alice', 'set by eve')
  await ask.send('PUT', '/api/users/1', { blocked: true }, editor)
  expect((await ask.get('/api/users/me', token)).status).toBe(401)
  await ask.send('PUT', '/api/users/1', { blocked: false }, editor)
  expect((await ask.get('/api/users/me', token)).status).toBe(200)
  await ask.send('DELETE', '/api/users/1', undefined, editor)
  expect((await ask.get('/api/users/me', token)).status).toBe(401)
})

test('a token ends when a program sets the password, and its address is in small letters', async () => {
  const token = await ask.logIn('alice', PASSWORD)
  const users = ask.cms.entries('plugin::users-permissions.user')
  await users.update(1, { nickname: 'Al' })
  expect((await ask.get('/api/users/me', token)).status).toBe(200)
  await ask.post('/api/auth/forgot-password', { email: 'alice@example.com' })
  const code = /code=([0-9a-f]+)/.exec(ask.cms.outbox.at(-1)?.text ?? '')?.[1]
  await users.update(1, { password: 'set by a program', email: 'ALICE@new.example' })
  expect((await ask.get('/api/users/me', token)).status).toBe(401)
  const reset = { code, password: 'brand new', passwordConfirmation: 'brand new' }
  expect((await ask.post('/api/auth/reset-password', reset)).status).toBe(400)
  const next = await ask.logIn('alice@new.example', 'set by a program')
  expect((await ask.get('/api/users/me', next)).status).toBe(200)
})

test('a bcrypt hash is taken from the seed and replaced at the first login', async () => {
  const hashed = await openAccounts({
    data: {
      'plugin::users-permissions.user': [
        {
          username: 'old',
          email: 'old@example.com',
          role: 'authenticated',
          password: await bcrypt(PASSWORD, 4),
        },
      ],
    },
    auth: { ...accountsConfig.auth, users: [] },
  })
  await using _ = hashed.cms
  expect((await hashed.post('/api/auth/local', { identifier: 'old', password: 'wrong' })).status).toBe(400)
  const token = await hashed.logIn('old', PASSWORD)
  expect((await hashed.get('/api/users/me', token)).status).toBe(200)
  await hashed.logIn('old', PASSWORD)
  expect((await hashed.get('/api/users/me', token)).status).toBe(200)
})

describe('reset', () => {
  const codeIn = (text: string | undefined): string => /code=([0-9a-f]+)/.exec(text ?? '')?.[1] ?? ''
  const reset = (code: string, password: string) =>
    ask.post('/api/auth/reset-password', { code, password, passwordConfirmation: password })

  async function codeFor(email: string): Promise<string> {
    expect(await ask.post('/api/auth/forgot-password', { email })).toEqual({
      status: 200,
      body: { ok: true },
    })
    return codeIn(ask.cms.outbox.at(-1)?.text)
  }

  test('by a code that is mailed, works once and ends every token', async () => {
    const token = await ask.logIn('alice', PASSWORD)
    const code = await codeFor('alice@example.com')
    expect(ask.cms.outbox.at(-1)).toMatchObject({ to: 'alice@example.com', subject: 'Reset password' })
    expect(await reset(code, 'brand new')).toMatchObject({
      status: 200,
      body: { user: { username: 'alice' } },
    })
    expect((await ask.get('/api/users/me', token)).status).toBe(401)
    expect(await reset(code, 'once more')).toMatchObject({ status: 400 })
    await ask.logIn('alice', 'brand new')
  })

  test('two requests with one code: one passes', async () => {
    const code = await codeFor('alice@example.com')
    const answers = await Promise.all([reset(code, 'first one'), reset(code, 'second one')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('only the newest code works', async () => {
    const first = await codeFor('alice@example.com')
    const second = await codeFor('alice@example.com')
    expect((await reset(first, 'brand new')).status).toBe(400)
    expect((await reset(second, 'brand new')).status).toBe(200)
  })

  test('nobody is told who has an account', async () => {
    const kept = ask.cms.outbox.length
    for (const email of ['unknown@example.com', 'dave@example.com']) {
      expect(await ask.post('/api/auth/forgot-password', { email })).toEqual({
        status: 200,
        body: { ok: true },
      })
    }
    expect(ask.cms.outbox).toHaveLength(kept)
  })

  test('the link leads where the configuration says, whatever the request says', async () => {
    await ask.cms.fetch('/api/auth/forgot-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example' },
      body: '{"email":"alice@example.com"}',
    })
    expect(ask.cms.outbox.at(-1)?.text).toContain('https://cms.example/reset-password?code=')
  })

  test('codes are stored as hashes', async () => {
    const code = await codeFor('alice@example.com')
    const bytes = Buffer.concat(ask.cms.snapshot().pages)
    expect(bytes.includes(code)).toBe(false)
    expect(bytes.includes('Reset password')).toBe(false)
  })

  test.each([null, {}, [], true, '', 'undefined', { $notNull: true }, ['x'], '%'])(
    '%j is no code',
    async (code) => {
      const answer = await ask.post('/api/auth/reset-password', {
        code,
        password: 'brand new',
        passwordConfirmation: 'brand new',
      })
      expect(answer).toMatchObject({ status: 400, body: { error: { name: 'ValidationError' } } })
    },
  )
})

test('five letters of any script are too few, six are enough', async () => {
  const register = (password: string, name: string) =>
    ask.post('/api/auth/local/register', { username: name, email: `${name}@x.io`, password })
  expect((await register('ééééé', 'five')).status).toBe(400)
  expect((await register('日本語日本語', 'six')).status).toBe(200)
  expect((await register('x'.repeat(1024), 'long')).status).toBe(200)
  expect((await register('x'.repeat(1025), 'longer')).status).toBe(400)
})
