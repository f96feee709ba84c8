// Many entries in one request: all or none, every fault under its index, each entry under the caller's rules.

import { beforeEach, describe, expect, test } from 'vitest'
import { createCms, type LifecycleEvent } from '../../src/index.ts'
import { openForTests } from '../support/open-for-tests.ts'

const MANY = ['createMany', 'updateMany', 'deleteMany', 'upsert', 'upsertMany']
const all = MANY.map((action) => `article.${action}`)

const config = {
  rest: { limits: { writeRows: 50 } },
  plugins: { graphql: true },
  contentTypes: {
    article: {
      options: { draftAndPublish: false },
      unique: [['shelf', 'place']],
      attributes: {
        title: { type: 'string', required: true, unique: true, maxLength: 10 },
        views: 'integer',
        owner: 'string',
        shelf: 'string',
        place: 'integer',
        secret: { type: 'string', private: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    },
    author: { options: { draftAndPublish: false }, attributes: { name: 'string' } },
    home: { kind: 'singleType', attributes: { title: 'string' } },
  },
  auth: {
    roles: { public: { permissions: ['article.*', 'author.*', ...all] } },
    apiTokens: [
      { name: 'short', type: 'custom', token: 'short-0123456789abcdef', permissions: ['article.*'] },
      {
        name: 'ruled',
        type: 'custom',
        token: 'ruled-0123456789abcdef',
        permissions: [
          'article.find',
          { 'article.createMany': { check: 'views < 100', set: { owner: '"ruled"' } } },
          { 'article.updateMany': { where: 'owner == "ruled"', fields: ['views'] } },
          { 'article.deleteMany': { where: 'owner == "ruled"' } },
          { 'article.upsertMany': { where: 'owner == "ruled"', set: { owner: '"ruled"' } } },
        ],
      },
      { name: 'full', type: 'full-access', token: 'full-0123456789abcdef' },
    ],
  },
}

const calls: string[] = []
const note =
  (name: string) =>
  ({ params, result }: LifecycleEvent): void => {
    calls.push(`${name} ${String(params.data['title'] ?? result?.['title'] ?? '')}`)
  }

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const lifecycles = {
    article: { beforeCreate: note('create'), afterUpdate: note('update'), afterDelete: note('delete') },
  }
  const cms = openForTests({ ...config, dialect }, { restores: true, lifecycles })
  beforeEach(() => {
    calls.length = 0
  })

  interface Sent {
    readonly status: number
    readonly json: Reply
  }
  interface Reply {
    readonly data: readonly Record<string, unknown>[]
    readonly meta: Record<string, unknown>
    readonly error: { readonly message: string; readonly details: { readonly errors: readonly unknown[] } }
  }

  async function send(action: string, body: unknown, token?: string): Promise<Sent> {
    const response = await cms().fetch(`/api/articles/actions/${action}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}-0123456789abcdef` }),
      },
      body: JSON.stringify(body),
    })
    const json = (await response.json()) as Reply
    const data = Array.isArray(json.data) ? json.data.map(flat) : []
    return { status: response.status, json: { ...json, data } }
  }

  /** The parts of an entry that both API versions have. */
  function flat(entry: Record<string, unknown>): Record<string, unknown> {
    return { id: entry['id'], ...entry, ...(entry['attributes'] as Record<string, unknown> | undefined) }
  }

  async function stored(): Promise<readonly string[]> {
    const entries = await cms().entries('article').findMany({ sort: 'title' })
    return entries.map((entry) => `${entry['title']}:${entry['views'] ?? ''}`)
  }

  test('creates every entry in its order, with hooks for each', async () => {
    const author = await cms().entries('author').create({ name: 'Ada' })
    const named = dialect === 'strapi-5' ? author['documentId'] : author.id
    const { status, json } = await send('create-many?populate=author', {
      data: [
        { title: 'b', author: named },
        { title: 'a', views: 2 },
      ],
    })
    expect({ status, meta: json.meta }).toEqual({ status: 200, meta: { created: 2 } })
    expect(json.data.map(({ title }) => title)).toEqual(['b', 'a'])
    expect(JSON.stringify(json.data[0]?.['author'])).toContain('Ada')
    expect(await stored()).toEqual(['a:2', 'b:'])
    expect(calls).toEqual(['create b', 'create a'])
  })

  test('one fault leaves nothing, and all faults have their index', async () => {
    await cms().entries('article').create({ title: 'taken' })
    const { status, json } = await send('create-many', {
      data: [{ title: 'one' }, { title: 'taken' }, { title: 'one' }, { title: 'much too long' }, {}],
    })
    expect(status).toBe(400)
    expect(json.error.details.errors).toMatchObject([
      { path: ['1', 'title'], message: 'This attribute must be unique' },
      { path: ['2', 'title'], message: 'This attribute must be unique' },
      { path: ['3', 'title'], message: 'title must be at most 10 characters' },
      { path: ['4', 'title'] },
    ])
    expect(await stored()).toEqual(['taken:'])
  })

  test('a list that is too long is refused before it is written', async () => {
    const data = Array.from({ length: 51 }, (_, index) => ({ title: `t${index}` }))
    const { status, json } = await send('create-many', { data })
    expect({ status, message: json.error.message }).toEqual({
      status: 400,
      message: 'Too many entries: the request has 51 items, and at most 50 are written at once',
    })
    expect((await send('create-many', { data: data.slice(1) })).status).toBe(200)
    expect((await send('create-many', { data: [{ title: 'last' }] })).status).toBe(200)
    const beyond = await send('delete-many', { filters: {} })
    expect(beyond.json.error.message).toMatch('the filters match more than 50 entries')
    expect(await stored()).toHaveLength(51)
  })

  test('updates and deletes the entries that match', async () => {
    await cms()
      .entries('article')
      .createMany([
        { title: 'a', views: 1 },
        { title: 'b', views: 2 },
        { title: 'c', views: 3 },
      ])
    calls.length = 0
    const updated = await send('update-many', { filters: { views: { $gt: 1 } }, data: { views: 9 } })
    expect(updated.json.meta).toEqual({ updated: 2 })
    expect(updated.json.data.map(({ title, views }) => `${title}:${views}`)).toEqual(['b:9', 'c:9'])
    expect(calls).toEqual(['update b', 'update c'])
    const deleted = await send('delete-many?fields=title', {
      filters: { $or: [{ views: 1 }, { title: 'c' }] },
    })
    expect(deleted.json.meta).toEqual({ deleted: 2 })
    expect(deleted.json.data.map(({ title }) => title)).toEqual(['a', 'c'])
    expect(await stored()).toEqual(['b:9'])
  })

  test('an upsert updates or creates by a unique attribute or set', async () => {
    const first = await send('upsert', { on: 'title', data: { title: 'a', views: 1 } })
    expect(first.json.meta).toEqual({ created: 1 })
    const again = await send('upsert', { on: 'title', data: { title: 'a', views: 2 } })
    expect(again.json.meta).toEqual({ updated: 1 })
    const many = await send('upsert-many', {
      on: ['place', 'shelf'],
      data: [
        { title: 'x', shelf: 's', place: 1 },
        { title: 'y', shelf: 's', place: 2 },
        { title: 'z', shelf: 's', place: 1, views: 7 },
      ],
    })
    expect(many.json.meta).toEqual({ created: 2, updated: 1 })
    expect(await stored()).toEqual(['a:2', 'y:', 'z:7'])
  })

  test.each([
    ['create-many', {}, '"data" must be a list: {"data":[{…}]}'],
    ['create-many', { data: { title: 'a' } }, '"data" must be a list: {"data":[{…}]}'],
    ['create-many', { data: [], on: 'title' }, 'Unknown member on: the body has data'],
    ['update-many', { data: { views: 1 } }, 'Missing "filters" payload in the request body'],
    ['update-many', { filters: {} }, 'Missing "data" payload in the request body'],
    ['delete-many', { filters: { title: {} } }, 'filters.title has no condition: remove it, or add one'],
    ['delete-many', { filters: { $or: [] } }, 'filters.$or has no condition: remove it, or add one'],
    ['delete-many', { filters: { titel: 'a' } }, /titel/],
    ['delete-many', { filters: { secret: 'a' } }, /secret/],
    ['upsert', { data: { title: 'a' } }, 'Missing "on": the unique attributes that find the entry'],
    ['upsert', { on: 'views', data: { views: 1 } }, 'views are not declared as unique'],
    ['upsert', { on: 'title', data: { views: 1 } }, 'title must be given, because it finds the entry'],
    ['create-many?plan=yes', { data: [] }, 'Invalid parameter plan: expected true or false'],
  ])('%s refuses %j', async (action, body, message) => {
    await cms().entries('article').create({ title: 'there' })
    const { status, json } = await send(action, body)
    expect(status).toBe(400)
    if (typeof message === 'string') expect(json.error.message).toBe(message)
    else expect(json.error.message).toMatch(message)
    expect(await stored()).toEqual(['there:'])
  })

  test('?plan=true answers the same and changes nothing', async () => {
    await cms().entries('article').create({ title: 'a', views: 1 })
    calls.length = 0
    const asked = { on: 'title', data: [{ title: 'a', views: 5 }, { title: 'b' }] }
    const planned = await send('upsert-many?plan=true', asked)
    expect(planned.json.meta).toEqual({ created: 1, updated: 1, plan: true })
    expect(planned.json.data.map(({ title, views }) => [title, views])).toEqual([
      ['a', 5],
      ['b', null],
    ])
    expect(await stored()).toEqual(['a:1'])
    expect(calls).toEqual([])
    const faulty = await send('create-many?plan=true', { data: [{ title: 'a' }] })
    expect(faulty.status).toBe(400)
    expect((await send('delete-many?plan=true', { filters: {} })).json.meta).toEqual({
      deleted: 1,
      plan: true,
    })
    expect(await stored()).toEqual(['a:1'])
  })

  test('a short form grants none of them, a full-access token all', async () => {
    const filters = { filters: {} }
    for (const [action, body] of [
      ['create-many', { data: [] }],
      ['update-many', { ...filters, data: {} }],
      ['delete-many', filters],
      ['upsert', { on: 'title', data: { title: 'a' } }],
      ['upsert-many', { on: 'title', data: [] }],
    ] as const) {
      expect([action, (await send(action, body, 'short')).status]).toEqual([action, 403])
      expect([action, (await send(action, body, 'full')).status]).toEqual([action, 200])
    }
  })

  test('each entry is under the rule of the permission', async () => {
    const own = await send('create-many', { data: [{ title: 'mine', views: 1, owner: 'x' }] }, 'ruled')
    expect(own.json.data[0]).toMatchObject({ title: 'mine', owner: 'ruled' })
    const refused = await send(
      'create-many',
      {
        data: [
          { title: 'a', views: 1 },
          { title: 'b', views: 100 },
        ],
      },
      'ruled',
    )
    expect(refused.status).toBe(403)
    expect(refused.json.error.details.errors).toMatchObject([{ path: ['1'], name: 'ForbiddenError' }])
    await cms().entries('article').create({ title: 'theirs', views: 1, owner: 'other' })
    const updated = await send('update-many', { filters: { views: 1 }, data: { views: 2 } }, 'ruled')
    expect(updated.json.data.map(({ title }) => title)).toEqual(['mine'])
    const wrongName = await send('update-many', { filters: {}, data: { owner: 'me' } }, 'ruled')
    expect(wrongName.status).toBe(403)
    const saved = await send(
      'upsert-many',
      {
        on: 'title',
        data: [
          { title: 'mine', views: 3 },
          { title: 'theirs', views: 3 },
        ],
      },
      'ruled',
    )
    expect(saved.status).toBe(404)
    expect(saved.json.error.details.errors).toMatchObject([{ path: ['1'], name: 'NotFoundError' }])
    const deleted = await send('delete-many', { filters: {} }, 'ruled')
    expect(deleted.json.meta).toEqual({ deleted: 1 })
    expect(await stored()).toEqual(['theirs:1'])
  })

  test('GraphQL has them, as fields with arguments', async () => {
    const nodes = dialect === 'strapi-4' ? 'data { attributes { title views } }' : 'nodes { title views }'
    const ask = async (field: string): Promise<unknown> => {
      const { data, errors } = await cms().graphql(
        `mutation { ${field} { created updated deleted ${nodes} } }`,
      )
      return (
        errors ??
        JSON.parse(
          JSON.stringify(data)
            .replaceAll('{"attributes":', '')
            .replaceAll('}}]', '}]')
            .replaceAll('}},{', '},{'),
        )
      )
    }
    expect(await ask('createArticles(data: [{ title: "a" }, { title: "b", views: 2 }])')).toMatchObject({
      createArticles: { created: 2 },
    })
    expect(await ask('updateArticles(filters: { views: { gt: 1 } }, data: { views: 3 })')).toMatchObject({
      updateArticles: { updated: 1 },
    })
    expect(await ask('upsertArticle(on: "title", data: { title: "a", views: 4 })')).toMatchObject({
      upsertArticle: { updated: 1, created: 0 },
    })
    expect(await ask('upsertArticles(on: ["title"], data: [{ title: "c" }], plan: true)')).toMatchObject({
      upsertArticles: { created: 1 },
    })
    expect(await ask('deleteArticles(filters: { title: {} })')).toMatchObject([
      { message: 'filters.title has no condition: remove it, or add one' },
    ])
    expect(await ask('deleteArticles(filters: { title: { in: ["a", "b"] } }, plan: true)')).toMatchObject({
      deleteArticles: { deleted: 2 },
    })
    expect(await stored()).toEqual(['a:4', 'b:3'])
  })

  test('code writes many, and transactions undo what they wrote', async () => {
    const articles = cms().entries('article')
    await articles.createMany([{ title: 'a' }, { title: 'b' }])
    await expect(
      cms().transaction(async ({ entries }) => {
        await entries('article').updateMany({}, { views: 1 })
        await entries('article').create({ title: 'c' })
        expect(await entries('article').count({})).toBe(3)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await stored()).toEqual(['a:', 'b:'])
    const kept = await cms().transaction(async ({ entries }) => {
      await entries('article').upsert('title', { title: 'a', views: 5 })
      return entries('article').deleteMany({ title: 'b' })
    })
    expect(kept).toMatchObject([{ title: 'b' }])
    expect(await stored()).toEqual(['a:5'])
    await expect(cms().entries('home').createMany([])).rejects.toThrow(TypeError)
  })

  test('two upserts of the same new entry at once store it once', async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, views) => send('upsert', { on: 'title', data: { title: 'a', views } })),
    )
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(await stored()).toHaveLength(1)
  })
})

test('a schema without a grant has none of the mutations', async () => {
  const permissions = ['article.*']
  const plain = await createCms({ ...config, auth: { roles: { public: { permissions } } } }, { env: {} })
  const { errors } = await plain.graphql('mutation { createArticles(data: []) { created } }')
  expect(errors?.[0]?.message).toMatch('Cannot query field "createArticles"')
  await plain.close()
})
