// Changes of stored values in one statement: `$inc`, `$mul`, `$push` and `$pull`, checked after the change.

import { beforeEach, describe, expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const config = {
  plugins: { graphql: true },
  contentTypes: {
    article: {
      options: { draftAndPublish: false },
      attributes: {
        title: 'string',
        views: { type: 'integer', min: 0, max: 100 },
        free: 'integer',
        price: 'decimal',
        ratio: 'float',
        code: { type: 'integer', unique: true },
        big: 'biginteger',
        // A column of the function that lists the elements has this name, too.
        key: 'json',
        box: { type: 'component', component: 'ui.box' },
      },
    },
  },
  components: { 'ui.box': { attributes: { size: 'integer' } } },
  auth: {
    roles: { public: { permissions: ['article.*', 'article.updateMany'] } },
    apiTokens: [
      {
        name: 'ruled',
        type: 'custom',
        token: 'ruled-0123456789abcdef',
        permissions: [{ 'article.update': { check: 'input.views == null' } }],
      },
    ],
  },
}

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const cms = openForTests({ ...config, dialect }, { restores: true })
  let path: string
  beforeEach(async () => {
    const { id, documentId } = await cms()
      .entries('article')
      .create({ title: 'a', views: 10, price: 1.5, key: ['x', 1, { b: 1, a: 2 }, 'x'], box: { size: 1 } })
    path = `/api/articles/${dialect === 'strapi-4' ? id : String(documentId)}`
  })

  async function put(
    data: unknown,
  ): Promise<{ readonly status: number; readonly message: string | undefined }> {
    const headers = { 'content-type': 'application/json' }
    const response = await cms().fetch(path, { method: 'PUT', headers, body: JSON.stringify({ data }) })
    const { error } = (await response.json()) as { error?: { message: string } }
    return { status: response.status, message: error?.message }
  }

  async function stored(): Promise<Readonly<Record<string, unknown>>> {
    const [entry] = await cms().entries('article').findMany({ populate: '*' })
    return entry ?? {}
  }

  test.each([
    [{ views: { $inc: 5 } }, { views: 15 }],
    [{ views: { $inc: -10 } }, { views: 0 }],
    [
      { views: { $mul: 3 }, title: 'b' },
      { views: 30, title: 'b' },
    ],
    [{ free: { $inc: 7 } }, { free: 7 }],
    [{ free: { $mul: 7 } }, { free: 0 }],
    [{ price: { $inc: 0.25 } }, { price: 1.75 }],
    [{ price: { $mul: 2 } }, { price: 3 }],
    [{ ratio: { $inc: 0.5 } }, { ratio: 0.5 }],
    [{ key: { $push: { z: 1, y: 'ж"' } } }, { key: ['x', 1, { b: 1, a: 2 }, 'x', { z: 1, y: 'ж"' }] }],
    [{ key: { $push: null } }, { key: ['x', 1, { b: 1, a: 2 }, 'x', null] }],
    [{ key: { $pull: 'x' } }, { key: [1, { b: 1, a: 2 }] }],
    [{ key: { $pull: { b: 1, a: 2 } } }, { key: ['x', 1, 'x'] }],
    [{ key: { $pull: 'none' } }, { key: ['x', 1, { b: 1, a: 2 }, 'x'] }],
    // Objects with other keys are values.
    [{ key: { $push: 1, other: 2 } }, { key: { $push: 1, other: 2 } }],
    [{ key: { $inc: 1 } }, { key: { $inc: 1 } }],
  ])('%j', async (data, expected) => {
    expect(await put(data)).toEqual({ status: 200, message: undefined })
    expect(await stored()).toMatchObject(expected)
  })

  test('an empty list, and null, take elements', async () => {
    for (const key of [[], null]) {
      await put({ key })
      await put({ key: { $push: 1 } })
      expect((await stored())['key']).toEqual([1])
      await put({ key: { $pull: 1 } })
      expect((await stored())['key']).toEqual([])
    }
  })

  test.each([
    [{ views: { $inc: 91 } }, 'views must be less than or equal to 100'],
    [{ views: { $mul: -1 } }, 'views must be greater than or equal to 0'],
    [{ views: { $inc: 0.5 } }, 'views needs a whole number for $inc'],
    [{ views: { $inc: 'x' } }, 'views needs a number for $inc'],
    [{ views: { $inc: 1, $mul: 2 } }, 'views has more than one operator beside $inc'],
    [{ views: { $push: 1 } }, 'views is no list, so it cannot take $push'],
    [{ title: { $inc: 1 } }, 'title cannot take $inc'],
    [{ big: { $inc: 1 } }, 'big cannot take $inc'],
    [{ code: { $inc: 1 } }, 'code is unique, so it takes whole values instead of $inc'],
    [
      { box: { size: { $inc: 1 } } },
      'box.size is within a component, which takes whole values instead of $inc',
    ],
    [{ price: { $mul: 1e101 } }, 'price needs a number for $mul'],
  ])('%j is a 400 and changes nothing', async (data, message) => {
    const before = await stored()
    const refused = await put({ title: 'changed', ...data })
    expect(refused).toEqual({ status: 400, message })
    expect(await stored()).toEqual(before)
  })

  test('a result out of range is refused', async () => {
    await put({ free: Number.MAX_SAFE_INTEGER, ratio: 1e100 })
    expect(await put({ free: { $inc: 1 } })).toEqual({ status: 400, message: 'free would be out of range' })
    expect(await put({ free: { $mul: Number.MAX_SAFE_INTEGER } })).toEqual({
      status: 400,
      message: 'free would be out of range',
    })
    expect((await put({ ratio: { $mul: 1e100 } })).status).toBe(200)
    expect(await put({ ratio: { $mul: 1e100 } })).toEqual({
      status: 400,
      message: 'ratio would be out of range',
    })
    await put({ key: { no: 'list' } })
    expect(await put({ key: { $push: 1 } })).toEqual({ status: 400, message: 'key is no list' })
    expect(await put({ key: { $pull: 1 } })).toEqual({ status: 400, message: 'key is no list' })
  })

  test('a rule that looks at the payload needs the value', async () => {
    const article = cms().entries('article')
    const [{ id = 0 } = {}] = await article.findMany()
    const headers = { 'content-type': 'application/json', authorization: 'Bearer ruled-0123456789abcdef' }
    const send = async (data: unknown): Promise<unknown> => {
      const response = await cms().fetch(path, { method: 'PUT', headers, body: JSON.stringify({ data }) })
      return ((await response.json()) as { error?: { message: string } }).error?.message
    }
    expect(id).toBeGreaterThan(0)
    expect(await send({ views: { $inc: 1 } })).toBe('views takes a whole value, because a rule compares it')
    expect(await send({ free: { $inc: 1 } })).toBeUndefined()
  })

  test('a new entry has no value to change', async () => {
    await expect(
      cms()
        .entries('article')
        .create({ views: { $inc: 1 } }),
    ).rejects.toThrow('views has no value yet, so it cannot take $inc')
  })

  test('no increment is lost, and many entries take one', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, () => put({ views: { $inc: 1 }, key: { $push: 'n' } })),
    )
    expect(results.every(({ status }) => status === 200)).toBe(true)
    expect(await stored()).toMatchObject({ views: 30 })
    expect((await stored())['key']).toHaveLength(24)
    await cms().entries('article').create({ title: 'b', views: 1 })
    await cms()
      .entries('article')
      .updateMany({}, { views: { $inc: 2 } })
    expect((await cms().entries('article').findMany({ sort: 'views' })).map(({ views }) => views)).toEqual([
      3, 32,
    ])
  })

  describe('GraphQL', () => {
    const update = async (args: string): Promise<string | undefined> => {
      const key = dialect === 'strapi-4' ? 'id' : 'documentId'
      const shown = dialect === 'strapi-4' ? 'data { id }' : 'documentId'
      const text = `mutation { updateArticle(${key}: "${path.split('/').at(-1)}", ${args}) { ${shown} } }`
      return (await cms().graphql(text)).errors?.[0]?.message
    }

    test('changes beside data', async () => {
      const change = 'change: { views: { inc: 2 }, price: { mul: 2 }, key: { push: "y" } }'
      expect(await update(`data: { title: "b" }, ${change}`)).toBeUndefined()
      expect(await stored()).toMatchObject({ title: 'b', views: 12, price: 3 })
      expect(await update('data: {}, change: { key: { pull: "x" } }')).toBeUndefined()
      expect((await stored())['key']).toEqual([1, { b: 1, a: 2 }, 'y'])
    })

    test('of many entries', async () => {
      const text =
        'mutation { updateArticles(filters: { title: { eq: "a" } }, data: {}, change: { views: { inc: 5 } }) { updated } }'
      expect(await cms().graphql(text)).toEqual({ data: { updateArticles: { updated: 1 } } })
      expect(await stored()).toMatchObject({ views: 15 })
    })

    test.each([
      ['data: {}, change: { views: { inc: 1000 } }', /views/],
      ['data: {}, change: { views: { increase: 1 } }', /views/],
      ['data: {}, change: { secret: { inc: 1 } }', /secret/],
      [
        'data: {}, change: { views: 1 }',
        'Invalid argument change: views needs an operator, such as { inc: 1 }',
      ],
      ['data: {}, change: "views"', 'Invalid argument change: it must be an object of attributes'],
      ['data: { views: 1 }, change: { views: { inc: 1 } }', 'Invalid argument change: views is in data, too'],
    ])('%s is refused', async (args, message) => {
      const before = await stored()
      const refused = (await update(args)) ?? ''
      if (typeof message === 'string') expect(refused).toBe(message)
      else expect(refused).toMatch(message)
      expect(await stored()).toEqual(before)
    })
  })
})
