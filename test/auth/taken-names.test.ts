// A name is not the address of another user, nor an address another's name, whichever way a user is written: logins take either.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Asking, accountsConfig, openAccounts } from './open-accounts.ts'

let ask: Asking
let seeded: ReturnType<Asking['cms']['snapshot']>
let editor: string
beforeAll(async () => {
  ask = await openAccounts({ plugins: { ...accountsConfig.plugins, graphql: true } })
  await users().create({ ...carol, username: 'carol@corp.test', email: 'c@x.io' })
  await users().create({ ...carol, username: 'Carol@Corp.test', email: 'd@x.io' })
  seeded = ask.cms.snapshot()
  editor = await ask.logIn('eve', 'Passw0rd!eve')
})
beforeEach(() => ask.cms.restore(seeded))
afterAll(() => ask.cms.close())

const carol = { password: 'secret1', role: 1, provider: 'local' }
const users = () => ask.cms.entries('plugin::users-permissions.user')
const graphql = async (mutation: string): Promise<string> =>
  JSON.stringify(
    (await ask.post('/graphql', { query: `mutation { ${mutation} { data { id } } }` }, editor)).body,
  )
test.each([
  ['POST', '/api/users', { username: 'alice@example.com' }, 'Username already taken'],
  ['POST', '/api/users', { email: 'carol@corp.test' }, 'Email already taken'],
  ['PUT', '/api/users/2', { username: 'ALICE@example.com' }, 'Username already taken'],
  ['PUT', '/api/users/2', { username: ' alice@example.com ' }, 'Username already taken'],
  ['PUT', '/api/users/2', { email: 'Carol@Corp.test' }, 'Email already taken'],
])('%s %s %j', async (method, path, body, message) => {
  const whole =
    method === 'PUT' ? body : { username: 'made', email: 'm@x.io', password: 'secret1', role: 1, ...body }
  expect(await ask.send(method, path, whole, editor)).toMatchObject({
    status: 400,
    body: { error: { name: 'ApplicationError', message } },
  })
  expect(await ask.logIn('carol@corp.test', 'secret1')).not.toBe('')
})

test('over GraphQL and in programs', async () => {
  const field = 'UsersPermissionsUser'
  expect(await graphql(`update${field}(id: 2, data: { email: "carol@corp.test" })`)).toContain(
    'Email already taken',
  )
  expect(await graphql(`update${field}(id: 2, data: { username: "alice@example.com" })`)).toContain(
    'Username already taken',
  )
  const wrong = { username: 'made', email: 'carol@corp.test', password: 'secret1', role: 1 }
  expect(
    await graphql(
      `create${field}(data: { username: "made", email: "carol@corp.test", password: "secret1", role: 1 })`,
    ),
  ).toContain('Email already taken')
  await expect(users().create(wrong)).rejects.toThrow('Email already taken')
  await expect(users().update(2, { username: 'alice@example.com' })).rejects.toThrow('Username already taken')
})

test('both of oneself may be the same, and a name in other letters stays that name', async () => {
  const own = { username: 'eve@example.com', email: 'eve@example.com' }
  expect(await ask.send('PUT', '/api/users/2', own, editor)).toMatchObject({ status: 200 })
  await users().update(5, { username: 'carol' })
  expect(await ask.send('PUT', '/api/users/2', { email: 'carol@corp.test' }, editor)).toMatchObject({
    status: 200,
  })
  await ask.logIn('Carol@Corp.test', 'secret1')
  await ask.logIn('carol@corp.test', 'Passw0rd!eve')
})
