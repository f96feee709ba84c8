// Rules of permissions through HTTP: writes, attributes that may be read, drafts, relations to what is not there.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, askingAs } from '../support/callers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const USER = 'plugin::users-permissions.user'
const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target })
const TENANT = 'api::tenant.tenant'

const config = {
  rest: { publicDrafts: false },
  plugins: {
    'users-permissions': { config: { jwtSecret: '0123456789abcdef0123456789abcdef' } },
    graphql: true,
  },
  contentTypes: {
    [USER]: { attributes: { tenant: relation('manyToOne', TENANT) } },
    tenant: { attributes: { name: 'string' } },
    note: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        secret: 'string',
        rank: 'integer',
        tenant: relation('manyToOne', TENANT),
        next: relation('manyToOne', 'api::note.note'),
      },
    },
    page: { attributes: { title: 'string', body: 'text', notes: relation('manyToMany', 'api::note.note') } },
  },
  auth: {
    roles: {
      public: {
        permissions: ['plugin::users-permissions.auth.callback', { 'page.read': { fields: ['title'] } }],
      },
      authenticated: {
        permissions: [
          { 'note.*': { where: 'tenant == me.tenant', set: { tenant: 'me.tenant' } } },
          { 'page.update': { check: 'before.title != title || input.body == "same"' } },
          'page.find',
        ],
      },
    },
    apiTokens: [
      {
        name: 'low',
        type: 'custom',
        token: 'low-token-of-the-test',
        permissions: [{ 'note.find': { where: 'rank < 2' } }],
      },
      {
        name: 'titles',
        type: 'custom',
        token: 'titles-token-of-the-test',
        permissions: ['page.read', { 'note.find': { fields: ['title', 'next'] } }],
      },
    ],
    users: [
      { username: 'ann', email: 'ann@example.com', password: 'sea-and-salt', tenant: 1 },
      { username: 'bob', email: 'bob@example.com', password: 'tide-and-sand', tenant: 2 },
    ],
  },
  data: {
    tenant: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
    note: [
      { id: 1, title: 'a', rank: 1, tenant: 1 },
      { id: 2, title: 'b', rank: 2, tenant: 2 },
      { id: 3, title: 'draft', rank: 3, tenant: 2, publishedAt: null },
      { id: 4, title: 'd', rank: 4, tenant: 1, next: 2 },
      { id: 5, title: 'own draft', rank: 5, tenant: 1, publishedAt: null },
    ],
    page: [{ id: 1, title: 'p', body: 'hidden', notes: [1, 2] }],
  },
}

let cms: Cms
let database: TestDatabase
let send: Ask

beforeAll(async () => {
  database = await openTestDatabase()
  cms = await createCms(config, { env: {}, ...database.options })
  send = await askingAs(
    cms,
    { ann: 'sea-and-salt', bob: 'tide-and-sand' },
    {
      low: 'low-token-of-the-test',
      titles: 'titles-token-of-the-test',
    },
  )
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const idsOf = ({ json }: { json: unknown }): unknown =>
  (json as { data: { id: number }[] }).data.map(({ id }) => id)

describe('reads', () => {
  test('each tenant has its own', async () => {
    expect(idsOf(await send('ann', 'GET', '/api/notes'))).toEqual([1, 4])
    expect(idsOf(await send('bob', 'GET', '/api/notes'))).toEqual([2])
    expect(idsOf(await send('low', 'GET', '/api/notes'))).toEqual([1])
  })

  test('drafts are shown to those who may update them', async () => {
    expect(idsOf(await send('ann', 'GET', '/api/notes?publicationState=preview'))).toEqual([1, 4, 5])
    expect((await send('ann', 'GET', '/api/notes/5')).status).toBe(200)
    expect((await send('ann', 'GET', '/api/notes/3')).status).toBe(404)
    expect((await send('low', 'GET', '/api/notes?publicationState=preview')).status).toBe(403)
  })

  test('a relation to what is not there is empty', async () => {
    const { json } = await send('ann', 'GET', '/api/notes/4?populate=next')
    expect(json).toMatchObject({ data: { attributes: { next: { data: null } } } })
    expect(idsOf(await send('ann', 'GET', '/api/notes?filters[next][title]=b'))).toEqual([])
  })

  test('an attribute that may not be read is nowhere', async () => {
    const { json } = await send('', 'GET', '/api/pages?populate=*')
    expect(JSON.stringify(json)).not.toMatch(/body|hidden|notes/)
    expect((await send('', 'GET', '/api/pages/1')).json).toMatchObject({
      data: { attributes: { title: 'p' } },
    })
    expect(idsOf(await send('', 'GET', '/api/pages?_q=hidden'))).toEqual([])
    for (const query of ['fields=body', 'sort=body', 'filters[body]=hidden', 'filters[notes][id]=1'])
      expect([query, (await send('', 'GET', `/api/pages?${query}`)).status]).toEqual([query, 400])
    const query = '{ pages { data { attributes { title body } } } }'
    expect(JSON.stringify((await send('', 'POST', '/graphql', { query })).json)).not.toContain('hidden')
  })
})

describe('attributes of members', () => {
  const shown = [
    '/api/pages?populate=notes',
    '/api/pages/1?populate[notes][populate]=*',
    '/api/notes?populate=next',
    '/api/pages?populate[notes][fields]=title',
  ]
  test.each(shown)('%s shows those that may be read', async (path) => {
    const { status, json } = await send('titles', 'GET', path)
    expect(status).toBe(200)
    const text = JSON.stringify(json)
    expect(text).toMatch(/"title":"(a|b|d)"/)
    expect(text).not.toMatch(/"rank"|"secret"|"tenant"/)
  })

  test.each([
    '/api/pages?populate[notes][fields]=rank',
    '/api/pages?populate[notes][sort]=rank',
    '/api/pages?filters[notes][rank]=1',
    '/api/pages?sort=notes.rank',
    '/api/pages?populate[notes][filters][secret]=x',
  ])('%s names one that may not', async (path) => {
    expect((await send('titles', 'GET', path)).status).toBe(400)
  })

  test('neither does GraphQL show them, at any depth', async () => {
    const ask = (inner: string) =>
      send('titles', 'POST', '/graphql', {
        query: `{ pages { data { attributes { notes { data { attributes { ${inner} } } } } } } }`,
      })
    expect(JSON.stringify((await ask('title')).json)).toContain('"title":"a"')
    expect(JSON.stringify((await ask('title rank')).json)).not.toMatch(/"rank":\d/)
    expect(JSON.stringify((await ask('next { data { attributes { rank } } }')).json)).not.toMatch(/"rank":\d/)
  })
})

describe('writes', () => {
  test('what is not there cannot be named', async () => {
    const named = (id: number) => send('ann', 'PUT', '/api/notes/1', { data: { next: id } })
    const none = await named(99)
    expect(none.status).toBe(400)
    expect(await named(2)).toEqual(none)
    expect(await named(3)).toEqual(none)
    expect((await send('ann', 'PUT', '/api/notes/1', { data: { next: { connect: [2] } } })).status).toBe(400)
    expect((await named(4)).status).toBe(200)
  })

  test('what is set is set, at an update, too', async () => {
    const made = await send('ann', 'POST', '/api/notes', { data: { title: 'new', rank: 9, tenant: 2 } })
    const { id } = (made.json as { data: { id: number } }).data
    expect(idsOf(await send('bob', 'GET', '/api/notes'))).toEqual([2])
    expect((await send('ann', 'PUT', `/api/notes/${id}`, { data: { tenant: 2 } })).status).toBe(200)
    expect((await send('ann', 'GET', `/api/notes/${id}`)).status).toBe(200)
    expect((await send('bob', 'DELETE', `/api/notes/${id}`)).status).toBe(404)
    expect((await send('ann', 'DELETE', `/api/notes/${id}`)).status).toBe(200)
    expect((await send('ann', 'GET', `/api/notes/${id}`)).status).toBe(404)
  })

  test('a check may compare with the entry before and with the payload', async () => {
    const put = async (data: unknown) => (await send('ann', 'PUT', '/api/pages/1', { data })).status
    expect(await put({ title: 'p' })).toBe(403)
    expect(await put({ title: 'q' })).toBe(200)
    expect(await put({ title: 'q', body: 'same' })).toBe(200)
    expect(await put({ body: 'other' })).toBe(403)
    expect((await send('ann', 'GET', '/api/pages')).json).toMatchObject({
      data: [{ attributes: { title: 'q', body: 'same' } }],
    })
  })

  test('mutations of GraphQL keep to the rules', async () => {
    const update = (id: number) =>
      send('ann', 'POST', '/graphql', {
        query: `mutation { updateNote(id: ${id}, data: { title: "x" }) { data { id } } }`,
      })
    expect((await update(1)).json).toMatchObject({ data: { updateNote: { data: { id: '1' } } } })
    const [hidden, missing] = [await update(2), await update(99)]
    expect(hidden.json).toEqual(missing.json)
    expect((await send('bob', 'GET', '/api/notes/2')).json).toMatchObject({
      data: { attributes: { title: 'b' } },
    })
  })
})
