// `role.permissions`: what a role allows, as entries, for those who may do everything; the file's are in step with the
// file, and nobody is let in by them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { accountsConfig } from './open-accounts.ts'

const NOTE = 'api::note.note'
let directory: string
let file: string
let cms: Cms
let eve: string

async function write(roles: Readonly<Record<string, unknown>>): Promise<void> {
  const { auth, plugins } = accountsConfig
  const { authenticated, editor, public: everybody } = auth.roles
  const users = [
    { username: 'alice', email: 'alice@example.com', password: 'Passw0rd!alice' },
    { username: 'eve', email: 'eve@example.com', password: 'Passw0rd!eve', role: 'editor' },
  ]
  const config = {
    ...accountsConfig,
    plugins: { ...plugins, graphql: true },
    auth: { ...auth, users, roles: { authenticated, public: everybody, editor, ...roles } },
  }
  await writeFile(file, JSON.stringify(config))
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cms-roles-'))
  file = join(directory, 'cms.yaml')
  await write({ helper: { permissions: ['note.find', 'note.create'] } })
  cms = await createCms(file, { env: {} })
  eve = await logIn('eve')
})
afterEach(async () => {
  await cms.close()
  await rm(directory, { recursive: true, force: true })
})

async function ask(method: string, path: string, token: string, body?: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const given = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await cms.fetch(path, { method, headers, ...given })
  return { status: response.status, body: (await response.json()) as never }
}

async function logIn(name: string): Promise<string> {
  const body = JSON.stringify({ identifier: name, password: `Passw0rd!${name}` })
  const headers = { 'content-type': 'application/json' }
  const response = await cms.fetch('/api/auth/local', { method: 'POST', headers, body })
  return ((await response.json()) as { jwt: string }).jwt
}

interface Role {
  readonly permissions?: readonly { readonly action: string }[]
}

/** What the role of a user allows, as entries. */
async function shown(user: string, token = 'full-token'): Promise<readonly string[] | undefined> {
  const path = `/api/users?populate=role.permissions&filters[username]=${user}`
  const [found] = (await ask('GET', path, token)).body as { role: Role }[]
  return found?.role.permissions?.map(({ action }) => action)
}

const put = async (user: string, role: string): Promise<void> => {
  const roles = (await ask('GET', '/api/users-permissions/roles', eve)).body as {
    roles: { id: number; type: string }[]
  }
  const id = roles.roles.find(({ type }) => type === role)?.id
  expect((await ask('PUT', `/api/users/${user}`, eve, { role: id })).status).toBe(200)
}

test('an edit of the file is shown, and a role that the file lost shows and allows nothing', async () => {
  await put('1', 'helper')
  const alice = await logIn('alice')
  expect(await shown('alice')).toEqual([`${NOTE}.find`, `${NOTE}.create`])
  await write({ helper: { permissions: ['note.create', 'note.delete'] } })
  await cms.reload()
  expect(await shown('alice')).toEqual([`${NOTE}.create`, `${NOTE}.delete`])
  await write({})
  await cms.reload()
  expect(await shown('alice')).toEqual([])
  for (const method of ['GET', 'POST'])
    expect((await ask(method, '/api/notes', alice, method === 'GET' ? undefined : { data: {} })).status).toBe(
      403,
    )
  await write({ helper: { permissions: ['note.find'] } })
  await cms.reload()
  expect(await shown('alice')).toEqual([`${NOTE}.find`])
  expect((await ask('GET', '/api/notes', alice)).status).toBe(200)
})

test('what is written into the copy lets nobody in', async () => {
  await put('1', 'helper')
  const alice = await logIn('alice')
  await write({})
  await cms.reload()
  const [role] = await cms.entries('plugin::users-permissions.role').findMany({ filters: { type: 'helper' } })
  await cms.entries('plugin::users-permissions.permission').create({ action: `${NOTE}.find`, role: role?.id })
  expect((await ask('GET', '/api/notes', alice)).status).toBe(403)
})

test('a role of the database shows what it allows, and a lost one may become one', async () => {
  const find = { 'api::note': { controllers: { note: { find: { enabled: true } } } } }
  await ask('POST', '/api/users-permissions/roles', eve, { name: 'Critic', permissions: find })
  await put('1', 'critic')
  expect(await shown('alice')).toEqual([`${NOTE}.find`])
  await put('1', 'helper')
  await write({})
  await cms.reload()
  const alice = await logIn('alice')
  const { id } =
    (await cms.entries('plugin::users-permissions.role').findMany({ filters: { type: 'helper' } }))[0] ?? {}
  expect((await ask('PUT', `/api/users-permissions/roles/${id}`, eve, { permissions: find })).status).toBe(
    200,
  )
  expect(await shown('alice')).toEqual([`${NOTE}.find`])
  expect((await ask('GET', '/api/notes', alice)).status).toBe(200)
})

test('who may not read permissions is not shown them; who has a role is shown through GraphQL alone', async () => {
  expect(await shown('alice', eve)).toBeUndefined()
  const query =
    '{ usersPermissionsRole(id: 1) { data { attributes { users { data { attributes { username } } } permissions { data { attributes { action } } } } } } }'
  expect((await ask('POST', '/graphql', 'full-token', { query })).body).toMatchObject({
    data: {
      usersPermissionsRole: {
        data: {
          attributes: {
            users: { data: [{ attributes: { username: 'alice' } }] },
            permissions: { data: [{ attributes: { action: `${NOTE}.find` } }, {}, {}] },
          },
        },
      },
    },
  })
  const { body } = await ask('GET', '/api/users?populate[role][populate]=*', 'full-token')
  expect(JSON.stringify(body)).not.toContain('"users"')
})
