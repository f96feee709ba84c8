// Rules about users: who may see, make, change and delete which of them, over REST and GraphQL.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, asking, signedToken } from '../support/callers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const SECRET = '0123456789abcdef0123456789abcdef'
const USER = 'plugin::users-permissions.user'
const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target })
const only = (rule: object) => ({ where: 'team == me.team && this.role.type != "lead"', ...rule })

const config = {
  plugins: { 'users-permissions': { config: { jwtSecret: SECRET } }, graphql: true },
  contentTypes: {
    team: { attributes: { name: 'string' } },
    [USER]: { attributes: { motto: 'string', team: relation('manyToOne', 'api::team.team') } },
  },
  auth: {
    roles: {
      authenticated: {
        permissions: [
          `${USER}.me`,
          { [`${USER}.find`]: { where: 'team == me.team', fields: ['username', 'motto'] } },
          { [`${USER}.findOne`]: { where: 'team == me.team', fields: ['username', 'motto'] } },
          { [`${USER}.update`]: { where: 'id == me.id', fields: ['username', 'motto', 'password'] } },
        ],
      },
      lead: {
        permissions: [
          `${USER}.find`,
          `${USER}.findOne`,
          'plugin::users-permissions.role.find',
          {
            [`${USER}.create`]: {
              fields: ['username', 'email', 'password', 'role'],
              set: { team: 'me.team', motto: '"new"' },
              check: 'this.role.type == "authenticated"',
            },
          },
          { [`${USER}.update`]: only({ fields: ['motto'], check: 'motto != before.motto' }) },
          { [`${USER}.destroy`]: only({}) },
        ],
      },
    },
    users: [
      { username: 'ann', email: 'ann@example.com', team: 1, motto: 'a' },
      { username: 'bob', email: 'bob@example.com', team: 1, motto: 'b' },
      { username: 'cid', email: 'cid@example.com', team: 2, motto: 'c' },
      { username: 'lea', email: 'lea@example.com', team: 1, role: 'lead' },
      { username: 'max', email: 'max@example.com', team: 2, role: 'lead' },
    ],
  },
  data: {
    team: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
  },
}
const NAMES = ['ann', 'bob', 'cid', 'lea', 'max']
const [ANN, BOB, CID, LEA] = [1, 2, 3, 4]
const MISSING = 99

let cms: Cms
let database: TestDatabase
let send: Ask

beforeAll(async () => {
  database = await openTestDatabase()
  cms = await createCms(config, { env: {}, ...database.options })
  const tokens = NAMES.map(async (name, index) => [name, await signedToken(SECRET, index + 1)] as const)
  send = asking(cms, Object.fromEntries(await Promise.all(tokens)))
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const stored = (id: number) => cms.entries(USER).findOne(id, { populate: ['team', 'role'] })
const graphql = (who: string, query: string) => send(who, 'POST', '/graphql', { query })

test('users are listed and shown as the rule says', async () => {
  const { json } = await send('ann', 'GET', '/api/users?sort=id')
  expect(json).toMatchObject([{ username: 'ann' }, { username: 'bob' }, { username: 'lea' }])
  expect(JSON.stringify(json)).not.toContain('@example.com')
  expect(await send('ann', 'GET', `/api/users/${CID}`)).toEqual(
    await send('ann', 'GET', `/api/users/${MISSING}`),
  )
  expect((await send('ann', 'GET', '/api/users/me')).json).toMatchObject({ username: 'ann', motto: 'a' })
})

test('a user changes itself, as far as the rule names attributes', async () => {
  const put = (id: number, body: object) => send('ann', 'PUT', `/api/users/${id}`, body)
  expect(await put(ANN, { motto: 'mine' })).toMatchObject({ status: 200, json: { motto: 'mine' } })
  for (const body of [{ role: 2 }, { motto: 'x', email: 'x@example.com' }, { blocked: true }, { team: 2 }])
    expect([body, (await put(ANN, body)).status]).toEqual([body, 403])
  expect(await stored(ANN)).toMatchObject({ motto: 'mine', email: 'ann@example.com', team: { id: 1 } })
})

test('another user is as one who does not exist, whatever the body says', async () => {
  for (const body of [{ motto: 'x' }, { email: 'no address' }, { username: 'cid' }, { role: null }, {}])
    for (const id of [BOB, CID])
      expect(await send('ann', 'PUT', `/api/users/${id}`, body)).toEqual(
        await send('ann', 'PUT', `/api/users/${MISSING}`, body),
      )
  expect(await stored(BOB)).toMatchObject({ motto: 'b' })
  const rename = (id: number) =>
    graphql('ann', `mutation { updateUsersPermissionsUser(id: ${id}, data: { motto: "x" }) { data { id } } }`)
  expect((await rename(BOB)).json).toEqual((await rename(MISSING)).json)
  expect((await rename(ANN)).json).toMatchObject({
    data: { updateUsersPermissionsUser: { data: { id: '1' } } },
  })
})

test('a new user gets what the server sets, and is held to the check', async () => {
  const roles = await cms.entries('plugin::users-permissions.role').findMany({})
  const roleOf = (type: string) => roles.find((role) => role['type'] === type)?.id
  const person = (name: string, more: object) => ({
    username: name,
    email: `${name}@example.com`,
    password: 'sea-and-salt',
    ...more,
  })
  const create = (body: object) => send('lea', 'POST', '/api/users', body)
  expect((await create(person('dan', { role: roleOf('lead') }))).status).toBe(403)
  expect((await create(person('dan', { role: roleOf('authenticated'), blocked: true }))).status).toBe(403)
  const made = await create(person('dan', { role: roleOf('authenticated'), team: 2 }))
  expect(made).toMatchObject({ status: 201, json: { username: 'dan', motto: 'new', provider: 'local' } })
  const { id } = made.json as { id: number }
  expect(await stored(id)).toMatchObject({ team: { id: 1 }, role: { type: 'authenticated' } })
  expect((await send('max', 'DELETE', `/api/users/${id}`)).status).toBe(404)
  expect((await send('lea', 'DELETE', `/api/users/${id}`)).status).toBe(200)
  expect(await stored(id)).toBeNull()
})

test('a check compares with the user before; leads are nobody’s to change', async () => {
  const put = async (id: number, body: object) => (await send('lea', 'PUT', `/api/users/${id}`, body)).status
  expect(await put(BOB, { motto: 'b' })).toBe(403)
  expect(await put(BOB, { motto: 'better' })).toBe(200)
  expect(await put(LEA, { motto: 'x' })).toBe(404)
  expect((await send('lea', 'DELETE', `/api/users/${LEA}`)).status).toBe(404)
  expect(
    JSON.stringify(
      (await graphql('lea', `mutation { deleteUsersPermissionsUser(id: ${CID}) { data { id } } }`)).json,
    ),
  ).toContain('Not Found')
  expect(await stored(CID)).toMatchObject({ username: 'cid' })
})
