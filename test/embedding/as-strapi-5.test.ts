// What the dialect strapi-5 answers in places where strapi-4 says something else.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const DECLARED = '2024-01-01T00:00:00.000Z'

const config = {
  contentTypes: {
    tag: { attributes: { label: 'string' } },
    note: {
      attributes: {
        tags: ['tag'],
        name: 'string',
        extra: { type: 'json' },
        parts: { type: 'component', component: 'shared.part', repeatable: true },
      },
    },
  },
  components: { 'shared.part': { attributes: { code: { type: 'string', unique: true } } } },
  plugins: { graphql: true, i18n: { config: { locales: ['en', 'fr'] } } },
  public: [
    ...['note.*', 'tag.*', 'plugin::i18n.locales.listLocales', 'plugin::users-permissions.user.*'],
    ...['plugin::users-permissions.role.find', 'plugin::users-permissions.role.findOne'],
  ],
  data: {
    tag: [{ label: 'red' }],
    note: [
      { name: 'number', extra: 42 },
      { name: 'text of a number', extra: '42' },
      { name: 'text', extra: 'abc' },
      { name: 'list', extra: [1, 2] },
    ],
  },
}

async function open(dialect: 'strapi-4' | 'strapi-5') {
  const cms = await createCms({ dialect, ...config } as never, { env: {} })
  return {
    cms,
    async ask(method: string, path: string, body?: unknown) {
      const headers = { 'content-type': 'application/json' }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await cms.fetch(path, init)
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        body: await read(response),
      }
    },
  }
}

async function read(response: Response) {
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

test.each([
  ['$eq', '42', ['number']],
  ['$eq', '"42"', ['text of a number']],
  ['$eq', 'abc', ['text']],
  ['$eq', '[1,2]', ['list']],
  ['$ne', '42', ['text of a number', 'text', 'list']],
  ['$in', '[1, 2]', ['list']],
  ['$notIn', 'abc', ['number', 'text of a number', 'list']],
])('%s reads %s as JSON', async (operator, value, names) => {
  const { cms, ask } = await open('strapi-5')
  const { body } = await ask('GET', `/api/notes?filters[extra][${operator}]=${encodeURIComponent(value)}`)
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names)
  await cms.close()
})

test('strapi-4 compares with the text that is sent', async () => {
  const { cms, ask } = await open('strapi-4')
  const { body } = await ask('GET', '/api/notes?filters[extra][$eq]=42')
  expect(body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual([
    'text of a number',
  ])
  await cms.close()
})

const CREATE_USER = `mutation { createUsersPermissionsUser(
  data: { username: "una", email: "una@example.com", password: "Secret12!", role: "1" }
) { data { username role { createdAt } } } }`

test('a user made through GraphQL is answered 201, with a role of the file as old as the file', async () => {
  const { cms, ask } = await open('strapi-5')
  const made = await ask('POST', '/graphql', { query: CREATE_USER })
  expect(made.body.data.createUsersPermissionsUser.data.role).toEqual({ createdAt: DECLARED })
  expect(made.status).toBe(201)
  expect((await ask('POST', '/graphql', { query: '{ notes { name } }' })).status).toBe(200)
  await cms.close()
})

test('the role of a user is named by its number, its documentId or a connection', async () => {
  const { cms, ask } = await open('strapi-5')
  const roles = (await ask('GET', '/api/users-permissions/roles')).body.roles
  const { id, documentId } = roles.find(({ type }: { type: string }) => type === 'public')
  const named = [id, documentId, { documentId }, { connect: [documentId] }, { connect: [{ documentId }] }]
  for (const [index, role] of named.entries()) {
    const user = { username: `una${index}`, email: `una${index}@example.com`, password: 'Secret12!' }
    const made = await ask('POST', '/api/users', { ...user, role })
    expect(made).toMatchObject({ status: 201, body: { role: { type: 'public' } } })
    const changed = await ask('PUT', `/api/users/${made.body.id}`, { role })
    expect(changed).toMatchObject({ status: 200, body: { role: { type: 'public' } } })
  }
  const unknown = await ask('PUT', '/api/users/1', { role: 'dnone' })
  expect(unknown).toMatchObject({
    status: 400,
    body: { error: { message: 'Document with id "dnone", locale "null" not found' } },
  })
  await cms.close()
})

test('a related entry may be sent as it was read, and not with a key that it cannot have', async () => {
  const { cms, ask } = await open('strapi-5')
  const [read] = (await ask('GET', '/api/tags')).body.data
  const write = (tags: unknown) => ask('POST', '/api/notes', { data: { name: 'n', tags } })
  for (const tags of [[read], read, { connect: [{ documentId: read.documentId }] }])
    expect((await write(tags)).status).toBe(201)
  for (const tags of [[{ ...read, nope: 1 }], { documentId: read.documentId, nope: 1 }])
    expect(await write(tags)).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'Invalid key nope at tags',
          details: { key: 'nope', path: 'tags', source: 'body' },
        },
      },
    })
  await cms.close()
})

test('no document has a NUL in its documentId', async () => {
  const { cms, ask } = await open('strapi-5')
  for (const [method, status] of [
    ['GET', 404],
    ['PUT', 404],
    ['DELETE', 204],
  ] as const) {
    const body = method === 'PUT' ? { data: {} } : undefined
    expect((await ask(method, '/api/notes/1%00', body)).status).toBe(status)
  }
  const query = '{ note(documentId: "d\\u0000") { name } }'
  expect((await ask('POST', '/graphql', { query })).body).toEqual({ data: { note: null } })
  await cms.close()
})

test('locales of the file have one moment', async () => {
  const { cms, ask } = await open('strapi-5')
  const { body } = await ask('GET', '/api/i18n/locales')
  for (const locale of body)
    expect(locale).toMatchObject({ createdAt: DECLARED, updatedAt: DECLARED, publishedAt: DECLARED })
  expect(body).toHaveLength(2)
  await cms.close()
})

test.each(['strapi-4', 'strapi-5'] as const)(
  '%s reports each of several equal unique values once',
  async (dialect) => {
    const { cms, ask } = await open(dialect)
    const parts = ['a', 'b', 'a', 'a'].map((code) => ({ code }))
    const { status, body } = await ask('POST', '/api/notes', { data: { name: 'n', parts } })
    expect(status).toBe(400)
    expect(body.error.details.errors.map(({ path }: { path: string[] }) => path.join('.'))).toEqual([
      'parts.0.code',
      'parts.2.code',
      'parts.3.code',
    ])
    await cms.close()
  },
)

test('OPTIONS is answered with text of no length', async () => {
  const { cms, ask } = await open('strapi-4')
  expect(await ask('OPTIONS', '/api/notes')).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: undefined,
  })
  await cms.close()
})
