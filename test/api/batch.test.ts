// Several operations in one transaction: over REST, and as one mutation of GraphQL.

import { describe, expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const config = {
  plugins: { graphql: true },
  contentTypes: {
    author: { options: { draftAndPublish: false }, attributes: { name: { type: 'string', required: true } } },
    article: {
      options: { draftAndPublish: false },
      attributes: {
        title: { type: 'string', required: true, unique: true },
        views: 'integer',
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    },
    closed: { options: { draftAndPublish: false }, attributes: { name: 'string' } },
    guarded: {
      options: { draftAndPublish: false },
      attributes: { name: 'string' },
      rest: { config: { create: { policies: ['never'] } } },
    },
    partial: {
      options: { draftAndPublish: false },
      attributes: { name: 'string' },
      rest: { only: ['find'] },
    },
  },
  auth: {
    roles: {
      public: { permissions: ['author.*', 'article.*', 'article.createMany', 'guarded.*', 'partial.*'] },
    },
    apiTokens: [{ name: 'reader', type: 'read-only', token: 'reader-0123456789abcdef' }],
  },
}

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const cms = openForTests({ ...config, dialect }, { restores: true, policies: { never: () => false } })
  const id = dialect === 'strapi-4' ? 'id' : 'documentId'

  interface Sent {
    readonly status: number
    readonly json: {
      readonly data: unknown
      readonly error?: { readonly message: string; readonly details: object }
    }
  }

  async function send(operations: unknown, headers: Record<string, string> = {}): Promise<Sent> {
    const response = await cms().fetch('/api/_batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ operations }),
    })
    return { status: response.status, json: (await response.json()) as Sent['json'] }
  }

  async function titles(): Promise<readonly string[]> {
    const entries = await cms().entries('article').findMany({ sort: 'title', populate: 'author' })
    return entries.map(
      ({ title, author }) => `${title} by ${(author as { name: string } | null)?.name ?? 'nobody'}`,
    )
  }

  test('a list in a batch has its entries, however often it is asked for', async () => {
    await cms().entries('article').create({ title: 'kept' })
    for (let count = 0; count < 4; count++) {
      const { json } = await send([{ operation: 'article.find' }, { operation: 'article.count' }], {
        'accept-encoding': 'gzip',
      })
      expect(json.data).toMatchObject([{ data: [{ id: expect.anything() }] }, { data: { count: 1 } }])
    }
  })

  test('later operations refer to the results of earlier ones', async () => {
    const { status, json } = await send([
      { operation: 'author.create', data: { name: 'Ada' } },
      {
        operation: 'article.create',
        data: { title: 'a', author: `$1.${id}` },
        query: { populate: 'author' },
      },
      { operation: 'article.createMany', data: [{ title: '$$1.id' }, { title: 'by $1.name' }] },
      { operation: 'article.update', id: `$3.1.${id}`, data: { title: '$1.name' } },
      { operation: 'article.delete', id: `$3.0.${id}` },
      { operation: 'article.find', query: { filters: { title: 'a' } } },
      { operation: 'article.count' },
    ])
    expect({ status, error: json.error }).toEqual({ status: 200, error: undefined })
    const results = json.data as readonly unknown[]
    expect(results).toHaveLength(7)
    expect(JSON.stringify(results[1])).toMatch('"name":"Ada"')
    expect(JSON.stringify(results[2])).toMatch('"title":"$1.id"')
    expect(results[6]).toEqual({ data: { count: 2 }, meta: {} })
    expect(await titles()).toEqual(['Ada by nobody', 'a by Ada'])
  })

  test.each([
    ['a fault of the data', { operation: 'article.create', data: {} }, 400, /title/],
    ['a taken value', { operation: 'article.create', data: { title: 'new' } }, 400, /unique/],
    [
      'an entry that is not there',
      { operation: 'article.update', id: dialect === 'strapi-4' ? 999 : 'none', data: {} },
      404,
      /Not Found|not found/,
    ],
    ['a missing permission', { operation: 'closed.create', data: {} }, 403, /Forbidden/],
    ['a policy', { operation: 'guarded.create', data: {} }, 403, /Policy Failed/],
    [
      'a parameter without meaning',
      { operation: 'article.create', data: { title: 'x' }, query: { nope: 1 } },
      400,
      /nope/,
    ],
    [
      'a reference that leads nowhere',
      { operation: 'article.create', data: { title: '$9.id' } },
      400,
      '$9.id is not in an earlier result',
    ],
    [
      'a reference to itself',
      { operation: 'article.create', data: { title: '$2.title' } },
      400,
      '$2.title is not in an earlier result',
    ],
  ])('%s undoes all, and names the operation', async (_, operation, status, message) => {
    const sent = await send([{ operation: 'article.create', data: { title: 'new' } }, operation])
    expect(sent.status).toBe(status)
    expect(sent.json.error?.details).toMatchObject({ operation: 1 })
    if (typeof message === 'string') expect(sent.json.error?.message).toBe(message)
    else expect(sent.json.error?.message).toMatch(message)
    expect(await titles()).toEqual([])
  })

  test.each([
    ['no list', 'x', /The body must be/],
    [
      'too many',
      Array(101).fill({ operation: 'article.count' }),
      'Too many operations: at most 100 are allowed in a batch',
    ],
    ['no name', [{ data: {} }], 'Operation 1: expected an object with "operation", such as "article.create"'],
    [
      'an unknown type',
      [{ operation: 'nope.create' }],
      'Operation 1: there is no operation "nope.create" over REST',
    ],
    [
      'an unknown operation',
      [{ operation: 'article.nope' }],
      'Operation 1: there is no operation "article.nope" over REST',
    ],
    [
      'an operation that REST leaves out',
      [{ operation: 'partial.create', data: {} }],
      'Operation 1: there is no operation "partial.create" over REST',
    ],
    ['a type of a plugin', [{ operation: 'plugin::users-permissions.user.create' }], /there is no operation/],
    ['an unknown member', [{ operation: 'article.find', body: {} }], /Operation 1: unknown member body/],
    ['no id', [{ operation: 'article.update', data: {} }], 'Operation 1: article.update needs an "id"'],
    ['an id too many', [{ operation: 'article.find', id: 1 }], 'Operation 1: article.find takes no "id"'],
  ])('%s is a 400', async (_, operations, message) => {
    const { status, json } = await send(operations)
    expect(status).toBe(400)
    if (typeof message === 'string') expect(json.error?.message).toBe(message)
    else expect(json.error?.message).toMatch(message)
  })

  test('each operation has the permissions of the caller', async () => {
    const headers = { authorization: 'Bearer reader-0123456789abcdef' }
    expect((await send([{ operation: 'article.find' }], headers)).status).toBe(200)
    expect((await send([{ operation: 'article.create', data: { title: 'x' } }], headers)).status).toBe(403)
    expect((await send([{ operation: 'article.find' }], { authorization: 'Bearer wrong' })).status).toBe(401)
  })

  test('an Idempotency-Key covers the whole batch', async () => {
    const headers = { 'idempotency-key': `key-of-${dialect}` }
    const operations = [
      { operation: 'article.create', data: { title: 'once' } },
      { operation: 'article.count' },
    ]
    const first = await send(operations, headers)
    expect(await send(operations, headers)).toEqual(first)
    expect((await send([{ operation: 'article.count' }], headers)).status).toBe(422)
    expect(await titles()).toEqual(['once by nobody'])
  })

  test('a mutation with @transaction is done as a whole', async () => {
    const create = (alias: string, title: string): string =>
      `${alias}: createArticle(data: { title: "${title}" }) { ${dialect === 'strapi-4' ? 'data { id }' : 'documentId'} }`
    const plain = await cms().graphql(`mutation { ${create('a', 'one')} ${create('b', 'one')} }`)
    expect(plain.errors).toHaveLength(1)
    expect(await titles()).toEqual(['one by nobody'])
    const failed = await cms().graphql(
      `mutation @transaction { ${create('a', 'two')} ${create('b', 'one')} }`,
    )
    expect(failed).toMatchObject({ data: null, errors: [{ message: 'This attribute must be unique' }] })
    expect(await titles()).toEqual(['one by nobody'])
    const text = `mutation Both @transaction { ${create('a', 'two')} ${create('b', 'three')} }`
    expect((await cms().graphql(text)).errors).toBeUndefined()
    // The second time the operation is compiled.
    expect((await cms().graphql(text)).errors).toHaveLength(2)
    expect(await titles()).toEqual(['one by nobody', 'three by nobody', 'two by nobody'])
    for (const wrong of [
      'query @transaction { __typename }',
      'mutation @transaction(level: 1) { __typename }',
    ])
      expect((await cms().graphql(wrong)).errors?.[0]?.message).toMatch('Unknown directive "@transaction"')
  })
})
