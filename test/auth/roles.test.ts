import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestClient } from '../support/test-database.ts'
import { type Asking, openAccounts } from './open-accounts.ts'

let ask: Asking
let editor: string
beforeEach(async () => {
  ask = await openAccounts()
  editor = await ask.logIn('eve', 'Passw0rd!eve')
})
afterEach(() => ask.cms.close())

const critic = {
  name: 'Critic',
  description: 'reads',
  permissions: {
    'api::note': { controllers: { note: { find: { enabled: true }, create: { enabled: false } } } },
  },
}

test('the roles of the file, with their users', async () => {
  const { body } = await ask.get('/api/users-permissions/roles', editor)
  expect(body).toMatchObject({
    roles: [
      { id: 1, type: 'authenticated', nb_users: 3 },
      { id: 2, type: 'public', nb_users: 0 },
      { id: 3, type: 'editor', name: 'Editor', nb_users: 1 },
    ],
  })
})

test('a role made over HTTP allows what it says, from then on', async () => {
  expect(await ask.post('/api/users-permissions/roles', critic, editor)).toEqual({
    status: 200,
    body: { ok: true },
  })
  expect(await ask.get('/api/users-permissions/roles/4', editor)).toMatchObject({
    body: {
      role: {
        type: 'critic',
        permissions: {
          'api::note': { controllers: { note: { find: { enabled: true }, create: { enabled: false } } } },
        },
      },
    },
  })
  await ask.send('PUT', '/api/users/1', { role: 4 }, editor)
  const token = await ask.logIn('alice', 'Passw0rd!alice')
  expect((await ask.get('/api/notes', token)).status).toBe(200)
  expect((await ask.get('/api/users/me', token)).status).toBe(403)
  await ask.send('PUT', '/api/users-permissions/roles/4', { permissions: {} }, editor)
  expect((await ask.get('/api/notes', token)).status).toBe(403)
  await ask.send('DELETE', '/api/users-permissions/roles/4', undefined, editor)
  expect((await ask.get('/api/users/1?populate=role', editor)).body).toMatchObject({
    role: { type: 'public' },
  })
})

const clients: readonly TestClient[] = ['memory', 'sqlite', ...(await serversHere())]

test.each(clients)('a role is made, changed and deleted as a whole or not at all: %s', async (client) => {
  await ask.cms.close()
  const database = await openTestDatabase(client)
  onTestFinished(() => database.drop())
  let refuses = false
  const refuse = (): void => {
    if (refuses) throw new ask.cms.errors.ApplicationError('not this one')
  }
  ask = await openAccounts({}, undefined, {
    ...database.options,
    lifecycles: { 'plugin::users-permissions.permission': { beforeCreate: refuse, beforeDelete: refuse } },
  })
  editor = await ask.logIn('eve', 'Passw0rd!eve')
  const roles = async () => (await ask.get('/api/users-permissions/roles', editor)).body
  await ask.post('/api/users-permissions/roles', critic, editor)
  await ask.send('PUT', '/api/users/1', { role: 4 }, editor)
  const before = await roles()
  refuses = true
  const refused = [
    await ask.post('/api/users-permissions/roles', { ...critic, name: 'Other' }, editor),
    await ask.send('PUT', '/api/users-permissions/roles/4', { ...critic, name: 'Other' }, editor),
    await ask.send('DELETE', '/api/users-permissions/roles/4', undefined, editor),
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
  expect(await roles()).toEqual(before)
  refuses = false
  expect((await ask.send('DELETE', '/api/users-permissions/roles/4', undefined, editor)).status).toBe(200)
  expect((await ask.get('/api/users/1?populate=role', editor)).body).toMatchObject({
    role: { type: 'public' },
  })
})

test('two of one name are two roles', async () => {
  await ask.post('/api/users-permissions/roles', critic, editor)
  await ask.post('/api/users-permissions/roles', critic, editor)
  const { body } = await ask.get('/api/users-permissions/roles', editor)
  expect((body as { roles: { type: string }[] }).roles.map(({ type }) => type)).toEqual([
    'authenticated',
    'public',
    'editor',
    'critic',
    'critic_1',
  ])
})

test('a name that a role of the file has makes a role beside it', async () => {
  await ask.post('/api/users-permissions/roles', { ...critic, name: 'Editor' }, editor)
  expect((await ask.get('/api/users-permissions/roles/4', editor)).body).toMatchObject({
    role: { type: 'editor_1' },
  })
})

test.each([
  [
    'PUT',
    '/api/users-permissions/roles/3',
    critic,
    400,
    'The role editor is declared in the configuration file and is changed there',
  ],
  [
    'DELETE',
    '/api/users-permissions/roles/3',
    undefined,
    400,
    'The role editor is declared in the configuration file and is changed there',
  ],
  ['DELETE', '/api/users-permissions/roles/2', undefined, 400, 'Cannot delete public role'],
  ['DELETE', '/api/users-permissions/roles/99', undefined, 404, 'Role not found'],
  ['PUT', '/api/users-permissions/roles/x', critic, 404, 'Role not found'],
  ['POST', '/api/users-permissions/roles', {}, 400, 'Request body cannot be empty'],
  ['POST', '/api/users-permissions/roles', { name: 5 }, 400, 'name must be text'],
  [
    'POST',
    '/api/users-permissions/roles',
    { name: 'Wrong', permissions: { 'api::note': { controllers: { note: { fly: { enabled: true } } } } } },
    400,
    'There is no action api::note.note.fly',
  ],
])('%s %s %j', async (method, path, body, status, message) => {
  expect(await ask.send(method, path, body, editor)).toMatchObject({ status, body: { error: { message } } })
  expect(await ask.get('/api/users-permissions/roles', editor)).toMatchObject({
    body: { roles: { length: 3 } },
  })
})
