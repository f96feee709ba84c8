// Entries created within the payload of another: in one transaction, with the rights of a create of their own.

import { beforeEach, describe, expect, test } from 'vitest'
import type { LifecycleEvent } from '../../src/index.ts'
import { flattenEnvelopes } from '../support/flatten-envelopes.ts'
import { openForTests } from '../support/open-for-tests.ts'

const to = (relation: string, type: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: `api::${type}.${type}`,
  ...more,
})
const options = { draftAndPublish: false }

const config = {
  plugins: { graphql: true },
  rest: { limits: { writeRows: 30 } },
  contentTypes: {
    author: {
      options,
      attributes: {
        name: { type: 'string', required: true, unique: true },
        home: to('oneToOne', 'place', { inversedBy: 'owner' }),
      },
    },
    place: { options, attributes: { town: 'string', owner: to('oneToOne', 'author', { mappedBy: 'home' }) } },
    tag: { options, attributes: { name: { type: 'string', required: true } } },
    seal: {
      options,
      attributes: { mark: 'string' },
      rest: { config: { create: { policies: [{ cel: 'body.data.mark == "red"' }] } } },
    },
    comment: {
      options,
      attributes: {
        text: { type: 'string', required: true },
        state: 'string',
        article: to('manyToOne', 'article', { inversedBy: 'comments' }),
        author: to('manyToOne', 'author'),
      },
    },
    article: {
      options,
      attributes: {
        title: { type: 'string', required: true },
        author: to('manyToOne', 'author'),
        seal: to('oneToOne', 'seal'),
        tags: to('manyToMany', 'tag'),
        comments: to('oneToMany', 'comment', { mappedBy: 'article' }),
        box: { type: 'component', component: 'ui.box' },
      },
    },
  },
  components: { 'ui.box': { attributes: { label: 'string', tag: to('oneToOne', 'tag') } } },
  auth: {
    roles: {
      public: {
        permissions: [
          'author.*',
          'article.*',
          'article.createMany',
          'tag.*',
          'comment.*',
          'place.*',
          'seal.*',
        ],
      },
    },
    apiTokens: [
      {
        name: 'limited',
        type: 'custom',
        token: 'limited-0123456789abcdef',
        permissions: [
          'article.create',
          'article.find',
          'comment.find',
          'tag.find',
          'author.find',
          { 'comment.create': { set: { state: '"new"' }, check: 'article.title != "closed"' } },
        ],
      },
    ],
  },
}

const calls: string[] = []
const note = ({ action, model }: LifecycleEvent): void => void calls.push(`${action} ${model.singularName}`)
const hooks = { beforeCreate: note, afterCreate: note, beforeUpdate: note }

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const cms = openForTests(
    { ...config, dialect },
    { restores: true, lifecycles: { comment: hooks, tag: hooks, article: hooks } },
  )
  beforeEach(() => {
    calls.length = 0
  })

  interface Sent {
    readonly status: number
    readonly data: Entry
    readonly errors: readonly {
      readonly path: readonly string[]
      readonly message: string
      readonly name: string
    }[]
  }
  type Entry = Readonly<Record<string, unknown>>

  async function send(method: string, path: string, data: unknown, token?: string): Promise<Sent> {
    const response = await cms().fetch(`/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}-0123456789abcdef` }),
      },
      body: JSON.stringify({ data }),
    })
    const json = (await response.json()) as {
      data: unknown
      error?: { message: string; details: { errors?: Sent['errors'] } }
    }
    return {
      status: response.status,
      data: flattenEnvelopes(json.data) as Entry,
      errors:
        json.error?.details.errors ??
        (json.error === undefined ? [] : [{ path: [], name: '', message: json.error.message }]),
    }
  }

  const counts = async (): Promise<readonly number[]> =>
    Promise.all(['article', 'comment', 'tag', 'author', 'place'].map((type) => cms().entries(type).count({})))
  const refOf = (entry: Entry): unknown => (dialect === 'strapi-4' ? entry['id'] : entry['documentId'])

  test('creates what it names, at any depth, in order', async () => {
    const tag = await cms().entries('tag').create({ name: 'old' })
    calls.length = 0
    const { status, data, errors } = await send(
      'POST',
      'articles?populate[author][populate]=home&populate[tags]=*&populate[comments][populate]=author&populate[box][populate]=tag',
      {
        title: 'a',
        author: { create: { name: 'Ada', home: { create: { town: 'Rome' } } } },
        tags: { connect: [refOf(tag)], create: [{ name: 'x' }, { name: 'y' }] },
        comments: { create: [{ text: 'one' }, { text: 'two', author: { create: { name: 'Bo' } } }] },
        box: { label: 'b', tag: { create: { name: 'boxed' } } },
      },
    )
    expect({ errors, ok: status < 300 }).toEqual({ errors: [], ok: true })
    expect(data).toMatchObject({
      title: 'a',
      author: { name: 'Ada', home: { town: 'Rome' } },
      tags: [{ name: 'old' }, { name: 'x' }, { name: 'y' }],
      comments: [{ text: 'one' }, { text: 'two', author: { name: 'Bo' } }],
      box: { label: 'b', tag: { name: 'boxed' } },
    })
    expect(await counts()).toEqual([1, 2, 4, 2, 1])
    expect(calls.filter((call) => call.startsWith('before'))).toEqual([
      ...['beforeCreate tag', 'beforeCreate tag', 'beforeCreate tag', 'beforeCreate article'],
      ...['beforeCreate comment', 'beforeCreate comment'],
    ])
  })

  test('new entries stand in lists, beside ids and with positions', async () => {
    const tags = await cms()
      .entries('tag')
      .createMany([{ name: 'a' }, { name: 'b' }])
    const [a, b] = tags.map(refOf)
    const names = ({ data }: Sent): unknown => (data['tags'] as Entry[]).map(({ name }) => name)
    const made = await send('POST', 'articles?populate=tags', {
      title: 't',
      tags: [a, { create: { name: 'new' } }, b],
    })
    expect(names(made)).toEqual(['a', 'new', 'b'])
    const path = `articles/${String(refOf(made.data))}?populate=tags`
    const placed = await send('PUT', path, {
      tags: {
        connect: [
          { create: { name: 'first' }, position: { start: true } },
          { create: { name: 'after' }, position: { after: a } },
        ],
      },
    })
    expect(names(placed)).toEqual(['first', 'a', 'after', 'new', 'b'])
    const set = await send('PUT', path, {
      tags: { set: [b, { create: { name: 'set' } }], create: [{ name: 'last' }] },
    })
    expect(names(set)).toEqual(['b', 'set', 'last'])
    const commented = await send('PUT', `articles/${String(refOf(made.data))}?populate=comments`, {
      comments: { create: { text: 'alone' } },
    })
    expect((commented.data['comments'] as Entry[]).map(({ text }) => text)).toEqual(['alone'])
  })

  test('one fault leaves nothing, and every fault has its path', async () => {
    await cms().entries('author').create({ name: 'taken' })
    const before = await counts()
    const { status, errors } = await send('POST', 'articles', {
      author: { create: { name: 'taken' } },
      tags: { create: [{ name: 'fine' }, {}] },
      comments: { create: [{ text: null }, { text: 'x', author: { create: {} } }] },
      box: { tag: { create: {} } },
    })
    expect(status).toBe(400)
    expect(errors.map(({ path }) => path.join('.')).sort()).toEqual([
      'author.create.name',
      'box.tag.create.name',
      'comments.create.0.text',
      'comments.create.1.author.create.name',
      'tags.create.1.name',
      'title',
    ])
    expect(await counts()).toEqual(before)
  })

  test.each([
    [{ title: 'a', tags: { create: 'x' } }, 'tags.create must be an object with the data of a new entry'],
    [{ title: 'a', tags: { create: [1] } }, 'tags.create.0 must be an object with the data of a new entry'],
    [
      { title: 'a', tags: [{ create: null }] },
      'tags.set.0.create must be an object with the data of a new entry',
    ],
    [{ title: 'a', tags: { create: [{ name: 'x', nope: 1 }] } }, /nope/],
    [{ title: 'a', tags: { create: Array(31).fill({ name: 'x' }) } }, /Too many/],
  ])('refuses %j', async (data, message) => {
    const { status, errors } = await send('POST', 'articles', data)
    expect(status).toBe(400)
    if (typeof message === 'string') expect(errors[0]?.message).toBe(message)
    else expect(errors[0]?.message).toMatch(message)
    expect(await counts()).toEqual([0, 0, 0, 0, 0])
  })

  test('each is created under its own permission and rule', async () => {
    const query = 'articles?populate=comments'
    const made = await send(
      'POST',
      query,
      { title: 'open', comments: { create: [{ text: 'c', state: 'mine' }] } },
      'limited',
    )
    expect(made.data['comments']).toMatchObject([{ text: 'c', state: 'new' }])
    const checked = await send(
      'POST',
      query,
      { title: 'closed', comments: { create: [{ text: 'c' }] } },
      'limited',
    )
    expect(checked).toMatchObject({
      status: 403,
      errors: [{ path: ['comments', 'create', '0'], name: 'ForbiddenError' }],
    })
    const sealed = await send('POST', 'articles', { title: 't', seal: { create: { mark: 'red' } } })
    expect(sealed).toMatchObject({
      status: 403,
      errors: [{ path: ['seal', 'create'], name: 'ForbiddenError' }],
    })
    const tagged = await send(
      'POST',
      'articles',
      { title: 't', tags: { create: [{ name: 'x' }] } },
      'limited',
    )
    expect(tagged).toMatchObject({ status: 403, errors: [{ path: ['tags', 'create', '0'] }] })
    expect(await counts()).toEqual([1, 1, 0, 0, 0])
  })

  test('GraphQL has them as inputs beside the ids', async () => {
    const tag = await cms().entries('tag').create({ name: 'old' })
    const shown = dialect === 'strapi-4' ? 'data { attributes { title } }' : 'title'
    const { errors } = await cms().graphql(
      `mutation ($tags: [TagInput!]) { createArticle(data: {
        title: "g", tags: [${JSON.stringify(refOf(tag))}], tags_create: $tags, author_create: { name: "Ada", home_create: { town: "Rome" } }
        comments_create: [{ text: "c" }], box: { label: "b", tag_create: { name: "boxed" } }
      }) { ${shown} } }`,
      { tags: [{ name: 'x' }] },
    )
    expect(errors).toBeUndefined()
    const [entry] = await cms()
      .entries('article')
      .findMany({
        populate: {
          author: { populate: 'home' },
          tags: true,
          comments: true,
          box: { populate: 'tag' },
        } as never,
      })
    expect(entry).toMatchObject({
      author: { name: 'Ada', home: { town: 'Rome' } },
      tags: [{ name: 'old' }, { name: 'x' }],
      comments: [{ text: 'c' }],
      box: { tag: { name: 'boxed' } },
    })
  })

  test('many entries, and code, have nested ones', async () => {
    const many = await cms().fetch('/api/articles/actions/create-many?populate=comments', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        data: [
          { title: 'a', comments: { create: [{ text: 'a1' }] } },
          { title: 'b', comments: { create: [{ text: 'b1' }, { text: 'b2' }] } },
        ],
      }),
    })
    expect(flattenEnvelopes(await many.json())).toMatchObject([
      { title: 'a', comments: [{ text: 'a1' }] },
      { title: 'b', comments: [{ text: 'b1' }, { text: 'b2' }] },
    ])
    const entry = await cms()
      .entries('article')
      .create(
        { title: 'c', author: { create: { name: 'Cy' } }, comments: { create: [{ text: 'c1' }] } },
        { populate: ['author', 'comments'] },
      )
    expect(entry).toMatchObject({ author: { name: 'Cy' }, comments: [{ text: 'c1' }] })
  })
})
