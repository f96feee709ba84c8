// `populate=deep` and `pLevel` of two plugins of Strapi, which `rest.populateDeep` accepts.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { openForTests } from '../support/open-for-tests.ts'

const to = (relation: string, type: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: `api::${type}.${type}`,
  ...more,
})
const options = { draftAndPublish: false }

const config = {
  rest: { populateDeep: 4 },
  components: {
    'ui.box': { attributes: { label: 'string', tag: to('oneToOne', 'tag') } },
  },
  contentTypes: {
    article: {
      options,
      attributes: {
        title: 'string',
        author: to('manyToOne', 'author', { inversedBy: 'articles' }),
        reviewer: to('manyToOne', 'author', { private: true }),
        box: { type: 'component', component: 'ui.box' },
        zone: { type: 'dynamiczone', components: ['ui.box'] },
        owner: to('manyToOne', 'vault'),
      },
    },
    author: {
      options,
      attributes: {
        name: 'string',
        articles: to('oneToMany', 'article', { mappedBy: 'author' }),
        favourite: to('oneToOne', 'article'),
        town: to('manyToOne', 'place'),
      },
    },
    place: { options, attributes: { name: 'string', part: to('manyToOne', 'place') } },
    tag: { options, attributes: { name: 'string', place: to('manyToOne', 'place') } },
    vault: { options, attributes: { name: 'string' } },
  },
  auth: {
    roles: {
      public: { permissions: ['article.find', 'article.findOne', 'author.find', 'place.find', 'tag.find'] },
    },
  },
  data: {
    place: [{ name: 'World' }, { name: 'Land', part: 'World' }, { name: 'Town', part: 'Land' }],
    tag: [{ name: 'red', place: 'Town' }],
    vault: [{ name: 'hidden' }],
    author: [{ name: 'Ann', town: 'Town', favourite: 'One' }],
    article: [
      {
        title: 'One',
        author: 'Ann',
        reviewer: 'Ann',
        owner: 'hidden',
        box: { label: 'b', tag: 'red' },
        zone: [{ __component: 'ui.box', label: 'z', tag: 'red' }],
      },
    ],
  },
} as const

/** The names of populated values, each with those below it. */
function listPopulated(value: unknown): unknown {
  if (Array.isArray(value)) return listPopulated(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { data, attributes, meta: _, ...own } = value as Record<string, unknown>
  if (data !== undefined) return listPopulated(data)
  const members = Object.entries({ ...own, ...(attributes as object | undefined) })
  return Object.fromEntries(
    members.flatMap(([name, one]) =>
      typeof one === 'object' && one !== null ? [[name, listPopulated(one)]] : [],
    ),
  )
}

const place = { part: {} }

describe('strapi-4', () => {
  const cms = openForTests({ ...config, dialect: 'strapi-4' })

  async function populated(query: string, path = 'articles'): Promise<unknown> {
    const response = await (await cms()).fetch(`/api/${path}?${query}`)
    const body: unknown = await response.json()
    return response.status === 200 ? listPopulated((body as { readonly data: unknown }).data) : body
  }

  test('populates as many levels as it names, of which the entry is the first', async () => {
    expect(await populated('populate=deep,1')).toEqual({})
    expect(await populated('populate=deep,2')).toEqual({ author: {}, box: {}, zone: {} })
    expect(await populated('populate=deep,3')).toEqual({
      author: { favourite: {}, town: {} },
      box: { tag: {} },
      zone: { tag: {} },
    })
    const all = {
      author: { favourite: { author: {}, box: {}, zone: {} }, town: place },
      box: { tag: { place: {} } },
      zone: { tag: { place: {} } },
    }
    expect(await populated('populate=deep')).toEqual(all)
    expect(await populated('populate=deep,9')).toEqual(all)
    expect(await populated('populate[0]=deep&populate[1]=4', 'articles/1')).toEqual(all)
  })

  test('refuses a number that is none', async () => {
    expect(await populated('populate=deep,x')).toMatchObject({
      error: { status: 400, message: expect.stringContaining('whole number of levels, up to 4') },
    })
  })
})

describe('strapi-5', () => {
  const cms = openForTests({ ...config, dialect: 'strapi-5' })

  async function populated(query: string): Promise<unknown> {
    const response = await (await cms()).fetch(`/api/articles?${query}`)
    const body: unknown = await response.json()
    return response.status === 200 ? listPopulated((body as { readonly data: unknown }).data) : body
  }

  test('pLevel populates so many levels, and nothing below what it came from', async () => {
    const all = {
      author: { favourite: {}, town: place },
      box: { tag: { place: {} } },
      zone: { tag: { place: {} } },
    }
    expect(await populated('pLevel')).toEqual(all)
    expect(await populated('pLevel=')).toEqual(all)
    expect(await populated('pLevel=10&populate=author')).toEqual(all)
    expect(await populated('pLevel=2')).toEqual({ author: {}, box: {}, zone: {} })
    expect(await populated('pLevel=3&pIgnore=author,tag')).toEqual({ box: {}, zone: {} })
    expect(await populated('pLevel=1&populate=author')).toEqual({ author: {} })
    expect(await populated('pLevel=x')).toMatchObject({ error: { status: 400 } })
  })
})

test('without the setting they are unknown', async () => {
  for (const [dialect, query] of [
    ['strapi-4', 'populate=deep'],
    ['strapi-5', 'pLevel=3'],
  ] as const) {
    await using cms = await createCms({ ...config, dialect, rest: {} }, { env: {} })
    expect((await cms.fetch(`/api/articles?${query}`)).status).toBe(400)
  }
})

test('a model of many types that relate to each other is refused, not expanded', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `type-${index}`)
  const attributes = Object.fromEntries(names.map((name) => [name.replace('-', ''), to('manyToOne', name)]))
  await using cms = await createCms(
    {
      dialect: 'strapi-5',
      rest: { populateDeep: 10 },
      contentTypes: Object.fromEntries(names.map((name) => [name, { options, attributes }])),
      auth: { roles: { public: { permissions: names.map((name) => `${name}.find`) } } },
    },
    { env: {} },
  )
  const response = await cms.fetch('/api/type-0s?pLevel')
  expect(await response.json()).toMatchObject({
    error: { status: 400, message: expect.stringContaining('Too many populated relations') },
  })
})
