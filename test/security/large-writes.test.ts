// What one write may hold, and how much an answer says of what is wrong with it: over REST and GraphQL, and where no client
// stands behind it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const TAGS = 1200
const ids = Array.from({ length: TAGS }, (_, index) => index + 1)

const CONFIG = {
  rest: { limits: { writeRows: 50 } },
  contentTypes: {
    page: {
      attributes: {
        title: { type: 'string', required: true },
        body: 'blocks',
        box: { type: 'component', component: 'ui.box' },
        boxes: { type: 'component', component: 'ui.box', repeatable: true },
        zone: { type: 'dynamiczone', components: ['ui.box'] },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        any: { type: 'relation', relation: 'morphToMany' },
        locks: { type: 'component', component: 'ui.lock', repeatable: true },
      },
    },
    tag: { attributes: { name: 'string' } },
  },
  components: {
    'ui.box': {
      attributes: {
        count: 'integer',
        leaves: { type: 'component', component: 'ui.leaf', repeatable: true },
        tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
      },
    },
    'ui.leaf': { attributes: { text: 'string' } },
    'ui.lock': { attributes: { key: 'password' } },
  },
  plugins: { graphql: true },
  auth: { roles: { public: { permissions: ['api::*.*.*'] } } },
  data: {
    tag: ids.map((id) => ({ id })),
    // More of both than a request may bring.
    page: [
      { id: 1, title: 'seeded', tags: ids, boxes: ids.map((count) => ({ count })) },
      { id: 2, title: 'to change' },
    ],
  },
}

interface Refusal {
  readonly name: string
  readonly message: string
  readonly details: {
    readonly errors: readonly { readonly path: readonly string[]; readonly message: string }[]
  }
}
interface Answer {
  readonly data?: { readonly id?: number } | null
  readonly error?: Refusal
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly error: Refusal } }[]
}

let cms: Cms
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  cms = await createCms(CONFIG, { ...database.options, env: {} })
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

async function post(method: string, path: string, body: string): Promise<{ status: number; answer: Answer }> {
  const headers = { 'content-type': 'application/json' }
  const response = await cms.fetch(path, { method, headers, body })
  return { status: response.status, answer: (await response.json()) as Answer }
}

type Write = (data: unknown) => Promise<Refusal | undefined>
const byRest =
  (method: string, path: string): Write =>
  async (data) => {
    const { status, answer } = await post(method, path, JSON.stringify({ data }))
    expect(status).toBe(answer.error === undefined ? 200 : 400)
    return answer.error
  }
const byGraphql =
  (query: string): Write =>
  async (data) => {
    const { answer } = await post('POST', '/graphql', JSON.stringify({ query, variables: { data } }))
    return answer.errors?.[0]?.extensions.error
  }
const doors: readonly (readonly [string, Write])[] = [
  ['create', byRest('POST', '/api/pages')],
  ['update', byRest('PUT', '/api/pages/2')],
  ['createPage', byGraphql('mutation ($data: PageInput!) { createPage(data: $data) { data { id } } }')],
  [
    'updatePage',
    byGraphql('mutation ($data: PageInput!) { updatePage(id: 2, data: $data) { data { id } } }'),
  ],
]

const many = <T>(count: number, part: T): readonly T[] => Array.from({ length: count }, () => part)
const rows = (label: string): string =>
  `Too many components and related entries, counted to ${label}: at most 50 are allowed in one write`
/** As REST and as GraphQL names its component. */
const zoned = { __component: 'ui.box', __typename: 'ComponentUiBox', count: 1 }

describe.each(doors)('%s', (_name, write) => {
  test.each<readonly [string, object, readonly string[], string]>([
    ['components', { boxes: many(51, {}) }, ['boxes'], rows('boxes')],
    ['those of a zone', { zone: many(51, zoned) }, ['zone'], rows('zone')],
    [
      'components within components',
      { boxes: many(10, { leaves: many(5, {}) }) },
      ['boxes', '8', 'leaves'],
      rows('boxes[8].leaves'),
    ],
    ['related entries', { tags: ids.slice(0, 51) }, ['tags'], rows('tags')],
    ['those of components', { box: { tags: ids.slice(0, 50) } }, ['box', 'tags'], rows('box.tags')],
    [
      'all of them together',
      { box: {}, boxes: many(20, {}), tags: ids.slice(0, 30) },
      ['tags'],
      rows('tags'),
    ],
    [
      'a long list',
      { boxes: many(1001, {}) },
      ['boxes'],
      'Too many elements in boxes: at most 1000 are allowed in a list',
    ],
    [
      'passwords',
      { locks: many(21, { key: 'x' }) },
      ['locks', '20', 'key'],
      'Too many passwords, counted to locks[20].key: at most 20 are allowed in one write',
    ],
  ])('too many: %s', async (_case, data, path, message) => {
    const count = await cms.entries('page').count()
    expect(await write({ title: 'x', ...data })).toMatchObject({
      name: 'ValidationError',
      message,
      details: { errors: [{ path, message, name: 'ValidationError' }] },
    })
    expect(await cms.entries('page').count()).toBe(count)
  })

  test('as many as there may be', async () => {
    const data = { title: 'x', boxes: many(10, { leaves: many(2, {}) }), tags: ids.slice(0, 20) }
    expect(await write(data)).toBeUndefined()
  })

  test('the first 20 errors are said, others counted', async () => {
    const refusal = await write({ title: 'x', body: many(332, {}) })
    expect(refusal?.message).toBe('332 errors occurred')
    expect(refusal?.details.errors).toHaveLength(21)
    expect(refusal?.details.errors.at(0)).toMatchObject({ path: ['body', '0'] })
    expect(refusal?.details.errors.at(-1)).toEqual({
      path: [],
      message: 'and 312 more errors',
      name: 'ValidationError',
    })
  })

  test('one error more', async () => {
    const refusal = await write({ title: 'x', body: many(21, {}) })
    expect(refusal?.message).toBe('21 errors occurred')
    expect(refusal?.details.errors.at(-1)?.message).toBe('and 1 more error')
  })

  test('a long value is not repeated', async () => {
    const refusal = await write({
      title: 'x',
      body: [{ type: 'paragraph', children: { text: 'y'.repeat(5000) } }],
    })
    expect(refusal?.message.length).toBeLessThan(2000)
    expect(refusal?.message).toContain('yyyy…')
  })
})

test('what the file seeds has no such bounds', async () => {
  const seeded = await cms.entries('page').findOne(1, { populate: ['tags', 'boxes'] })
  expect(seeded?.['tags']).toHaveLength(TAGS)
  expect(seeded?.['boxes']).toHaveLength(TAGS)
})

test("users' code has those of clients", async () => {
  const data = { title: 'x', boxes: many(51, {}) }
  await expect(cms.entries('page').create(data)).rejects.toThrow(rows('boxes'))
})

describe('GraphQL', () => {
  test('lists of variables are counted before they are read', async () => {
    const query = 'mutation ($data: PageInput!) { createPage(data: $data) { data { id } } }'
    const variables = { data: { title: 'x', boxes: many(100, { leaves: many(200, {}) }) } }
    const { status, answer } = await post('POST', '/graphql', JSON.stringify({ query, variables }))
    expect(status).toBe(400)
    expect(answer.errors?.map(({ message }) => message)).toEqual([
      'Too many elements in the lists of variables, counted to "$data": at most 20000 are allowed',
    ])
  })

  test('errors of an answer are said up to 20', async () => {
    const fields = Array.from(
      { length: 40 },
      (_, index) => `f${index}: page(id: 1) { data { nothing${index} } }`,
    )
    const { answer } = await post('POST', '/graphql', JSON.stringify({ query: `{ ${fields.join(' ')} }` }))
    expect(answer.errors?.length).toBeLessThanOrEqual(21)
    const query = `{ ${fields.map((_, index) => `f${index}: pages(pagination: { page: 1, start: 1 }, sort: "s${index}") { data { id } }`).join(' ')} }`
    const ran = await post('POST', '/graphql', JSON.stringify({ query }))
    expect(ran.answer.errors).toHaveLength(21)
    expect(ran.answer.errors?.at(-1)).toEqual({
      message: 'and 20 more errors',
      extensions: { code: 'STRAPI_PAGINATION_ERROR' },
    })
  })

  test.each([
    ['a value of JSON', (deep: string) => `{"data":{"title":"x","body":${deep}}}`],
    ['the variables', (deep: string) => deep],
    ['variables as text', (deep: string) => JSON.stringify(`{"data":${deep}}`)],
  ])('%s is at most so deep', async (_case, variables) => {
    const query = JSON.stringify('mutation ($data: PageInput!) { createPage(data: $data) { data { id } } }')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const headers = { 'content-type': 'application/json' }
    const body = `{"query":${query},"variables":${variables(deep)}}`
    const response = await cms.fetch('/graphql', { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/nested deeper than 64 levels|Variables are invalid JSON/)
  })

  test('so is a value of JSON over REST', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { status, answer } = await post('POST', '/api/pages', `{"data":{"title":"x","body":${deep}}}`)
    expect(status).toBe(400)
    expect(answer.error?.message).toBe('the JSON is nested deeper than 64 levels')
  })
})
