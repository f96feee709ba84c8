// `extensions.cutLists`: lists that `amountLimit` cuts are named, whichever engine answers, and whether the
// answer was kept.

import { createClient } from 'graphql-sse'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'

type Json = Record<string, unknown>

const four = [1, 2, 3, 4]

function configWith(config: Json, more: Json = {}): Json {
  return {
    plugins: { graphql: { config } },
    contentTypes: {
      shelf: {
        attributes: {
          name: 'string',
          books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'shelf' },
          labels: { type: 'component', component: 'shared.label', repeatable: true },
        },
      },
      book: {
        attributes: {
          title: 'string',
          shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'books' },
        },
      },
    },
    components: { 'shared.label': { attributes: { text: 'string' } } },
    auth: { roles: { public: { permissions: ['shelf.*', 'book.*'] } } },
    data: {
      shelf: [
        { id: 1, name: 'a', labels: four.map((number) => ({ text: `l${number}` })) },
        { id: 2, name: 'b' },
      ],
      book: four.map((id) => ({ id, title: `t${id}`, shelf: id === 4 ? 2 : 1 })),
    },
    ...more,
  }
}

async function withCms<T>(config: Json, use: (cms: Cms) => Promise<T>): Promise<T> {
  const cms = await createCms(config, { env: {} })
  try {
    return await use(cms)
  } finally {
    await cms.close()
  }
}

interface Answer {
  readonly data: Json
  readonly errors?: unknown
  readonly extensions?: { readonly cutLists?: unknown; readonly tracing?: unknown }
}

async function ask(cms: Cms, query: string, variables: Json = {}): Promise<Answer> {
  const response = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const answer = (await response.json()) as Answer
  expect(answer.errors).toBeUndefined()
  return answer
}

const ALL = '{ books(pagination: { limit: -1 }) { data { id } } }'

/** Written from rows, and by resolvers. */
const ways: readonly (readonly [string, Json])[] = [
  ['from rows', {}],
  ['with tracing', { apolloServer: { tracing: true } }],
]

test.each(ways)('lists that are cut are named, %s', (_, options) =>
  withCms(configWith({ amountLimit: 3, ...options }), async (cms) => {
    const cut = [{ path: ['books'], limit: 3 }]
    for (const pagination of ['limit: -1', 'limit: 4', 'start: 0, limit: 100', 'pageSize: 5']) {
      const query = `{ books(pagination: { ${pagination} }) { data { id } meta { pagination { total pageSize } } } }`
      // The third time it is compiled or kept.
      for (let time = 0; time < 3; time++) {
        const { data, extensions } = await ask(cms, query)
        expect(data).toEqual({
          books: {
            data: [{ id: '1' }, { id: '2' }, { id: '3' }],
            meta: { pagination: { total: 4, pageSize: 3 } },
          },
        })
        expect([pagination, extensions?.cutLists]).toEqual([pagination, cut])
      }
    }
    for (const pagination of ['limit: 3', 'start: 1, limit: -1', 'limit: 2', 'page: 2, pageSize: 9'])
      for (let time = 0; time < 3; time++) {
        const { extensions } = await ask(cms, `{ books(pagination: { ${pagination} }) { data { id } } }`)
        expect([pagination, extensions?.cutLists]).toEqual([pagination, undefined])
      }
    expect((await ask(cms, '{ books { data { id } } }')).extensions?.cutLists).toBeUndefined()
  }),
)

test.each(ways)('nested lists once for all entries, under their response names, %s', (_, options) =>
  withCms(configWith({ amountLimit: 2, depthLimit: 0, ...options }), async (cms) => {
    const query = `query ($n: Int) { all: shelves { rows: data { attributes {
        some: books(pagination: { limit: $n }) { data { attributes { shelf { data { attributes { books(pagination: { limit: $n }) { data { id } } } } } } } }
        labels(pagination: { pageSize: 3 }) { text }
        two: labels(pagination: { limit: 2 }) { text }
      } } } }`
    const below = ['all', 'rows', 'attributes']
    const inner = ['data', 'attributes', 'shelf', 'data', 'attributes', 'books']
    for (let time = 0; time < 3; time++) {
      const { data, extensions } = await ask(cms, query, { n: -1 })
      expect(extensions?.cutLists).toHaveLength(3)
      expect(extensions?.cutLists).toEqual(
        expect.arrayContaining([
          { path: [...below, 'some'], limit: 2 },
          { path: [...below, 'some', ...inner], limit: 2 },
          { path: [...below, 'labels'], limit: 2 },
        ]),
      )
      const [first] = (
        data['all'] as { rows: { attributes: { some: { data: unknown[] }; labels: unknown } }[] }
      ).rows
      expect(first?.attributes.some.data).toHaveLength(2)
      expect(first?.attributes.labels).toEqual([{ text: 'l1' }, { text: 'l2' }])
      expect((await ask(cms, query, { n: 2 })).extensions?.cutLists).toEqual([
        { path: [...below, 'labels'], limit: 2 },
      ])
    }
  }),
)

test('root fields that are read once are each named, and operations of a list each for itself', () =>
  withCms(configWith({ amountLimit: 3 }), async (cms) => {
    const twice = `{ a: books(pagination: { limit: -1 }) { data { id } } b: books(pagination: { limit: -1 }) { data { id } } }`
    expect((await ask(cms, twice)).extensions?.cutLists).toEqual([
      { path: ['a'], limit: 3 },
      { path: ['b'], limit: 3 },
    ])
    const response = await cms.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: ALL }, { query: '{ books { data { id } } }' }]),
    })
    expect(await response.json()).toEqual([
      { data: expect.anything(), extensions: { cutLists: [{ path: ['books'], limit: 3 }] } },
      { data: expect.anything() },
    ])
  }))

test('a kept answer has its extensions, and loses them with the entry that was too many', () =>
  withCms(configWith({ amountLimit: 3 }), async (cms) => {
    const target = `/graphql?query=${encodeURIComponent(ALL)}`
    const get = async () => (await cms.fetch(target)).text()
    const first = await get()
    expect(JSON.parse(first).extensions).toEqual({ cutLists: [{ path: ['books'], limit: 3 }] })
    for (let time = 0; time < 3; time++) expect(await get()).toBe(first)
    await cms.entries('book').delete(4)
    expect(JSON.parse(await get()).extensions).toBeUndefined()
  }))

test('the answer of a mutation', () =>
  withCms(configWith({ amountLimit: 2 }), async (cms) => {
    const { extensions } = await ask(
      cms,
      `mutation { updateShelf(id: 1, data: { name: "z" }) { data { attributes { books(pagination: { limit: -1 }) { data { id } } } } } }`,
    )
    const path = ['updateShelf', 'data', 'attributes', 'books']
    expect(extensions?.cutLists).toEqual([{ path, limit: 2 }])
  }))

test('in strapi-5: lists and connections', () =>
  withCms(configWith({ amountLimit: 2 }, { dialect: 'strapi-5' }), async (cms) => {
    const query = `{ books(pagination: { limit: -1 }) { title }
      books_connection(pagination: { pageSize: 9 }) { nodes { title } pageInfo { total pageSize } }
      shelves { name books(pagination: { limit: 9 }) { title } books_connection(pagination: { limit: 9 }) { nodes { title } } } }`
    for (let time = 0; time < 3; time++) {
      const { data, extensions } = await ask(cms, query)
      expect(data['books']).toHaveLength(2)
      expect(data['books_connection']).toMatchObject({ pageInfo: { total: 4, pageSize: 2 } })
      expect(extensions?.cutLists).toHaveLength(4)
      expect(extensions?.cutLists).toEqual(
        expect.arrayContaining([
          { path: ['books'], limit: 2 },
          { path: ['books_connection'], limit: 2 },
          { path: ['shelves', 'books'], limit: 2 },
          { path: ['shelves', 'books_connection'], limit: 2 },
        ]),
      )
    }
  }))

test('the answers of a subscription', () =>
  withCms(configWith({ amountLimit: 2 }, { events: true }), async (cms) => {
    const { url } = await cms.listen(0, '127.0.0.1')
    const client = createClient({ url: `${url}/graphql` })
    const query = `subscription { shelfChanged { entry { data { attributes { books(pagination: { limit: -1 }) { data { id } } } } } } }`
    const heard: unknown[] = []
    const stop = client.subscribe(
      { query },
      { next: (answer) => heard.push(answer), error: () => {}, complete: () => {} },
    )
    while (heard.length === 0) {
      await cms.entries('shelf').update(1, { name: String(Math.random()) })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    stop()
    const path = ['shelfChanged', 'entry', 'data', 'attributes', 'books']
    expect(heard[0]).toMatchObject({ extensions: { cutLists: [{ path, limit: 2 }] } })
  }))

test('amountLimit: -1 cuts nothing, and maxLimit is the size of a page', async () => {
  const open = configWith({ amountLimit: -1 })
  await withCms(
    { ...open, data: { book: Array.from({ length: 150 }, (_, index) => ({ id: index + 1 })) } },
    async (cms) => {
      const { data, extensions } = await ask(cms, ALL)
      expect((data['books'] as { data: unknown[] }).data).toHaveLength(150)
      expect(extensions).toBeUndefined()
    },
  )
  await withCms(configWith({ amountLimit: -1, maxLimit: 2, defaultLimit: 2 }), async (cms) => {
    const { data, extensions } = await ask(cms, ALL)
    expect([data, extensions]).toEqual([{ books: { data: [{ id: '1' }, { id: '2' }] } }, undefined])
  })
})

test('tokenLimit bounds the tokens of a document', () =>
  withCms(configWith({ tokenLimit: 20 }), async (cms) => {
    expect((await ask(cms, ALL)).data).toBeDefined()
    const response = await cms.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ ${'__typename '.repeat(20)} }` }),
    })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('more that 20 tokens'),
    ])
  }))
