// Questions that stopped the server or filled its memory: each is answered or refused in words. 10,000 articles, half of
// them in one category, all with one tag.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { hubConfig } from './hub.ts'

let cms: Cms
beforeAll(async () => {
  cms = await createCms(hubConfig(10_000))
})
afterAll(() => cms.close())

const TOO_MANY = 'Too many entries and components in one response: at most 100000 are allowed'
const TO_MANY_THRICE = 'Too many to-many relations in one path of sort: at most 2 are allowed'
const SHARED = 'category.articles.category.articles.category.articles.category.articles'

async function ask(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await cms.fetch(path)
  return { status: answer.status, text: await answer.text() }
}

describe('refused', () => {
  test.each([
    ['four levels through a hub', `/api/articles?populate=${SHARED}`, TOO_MANY],
    [
      'one level through a hub',
      '/api/articles?populate=category.articles&pagination[pageSize]=100',
      TOO_MANY,
    ],
    ['a sort through three relations to many', '/api/articles?sort=tags.articles.tags.name', TO_MANY_THRICE],
    [
      'a populated sort through three',
      '/api/categories?populate[articles][sort]=tags.articles.tags.name',
      TO_MANY_THRICE,
    ],
    [
      'a sort through two relations that costs too much',
      '/api/articles?sort=tags.articles.title',
      'its most expensive part is sort tags.articles.title',
    ],
    [
      'ten relations on the way to a condition',
      `/api/articles?filters[${SHARED.replaceAll('.', '][')}][category][articles][title]=x`,
      'filters category.articles.category.articles.category.articles.category.articles.category.articles.title $eq',
    ],
  ])('%s', async (_name, path, message) => {
    const { status, text } = await ask(path)
    expect(status).toBe(400)
    expect(JSON.parse(text).error.message).toContain(message)
  })

  test('what creating answers, before anything is created', async () => {
    const total = async (): Promise<number> =>
      JSON.parse((await ask('/api/articles?publicationState=preview&pagination[pageSize]=1')).text).meta
        .pagination.total
    const before = await total()
    const path =
      '/api/articles?populate[tags][populate][articles][sort]=category.name,author.name,category.name,author.name'
    // What its price is found from is asked of the database, which on a busy machine may answer after the request.
    await ask(path)
    const answer = await cms.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'new', tags: [1, 2] } }),
    })
    expect(answer.status).toBe(400)
    const { error } = (await answer.json()) as { error: { details: { part: string } } }
    expect(error.details.part).toBe('populate tags.articles, sort category.name')
    expect(await total()).toBe(before)
  })

  test('a selection of GraphQL that multiplies pages', async () => {
    const inner = Array.from(
      { length: 45 },
      (_, index) => `a${index}: articles(sort: "author.name", pagination: { limit: 1 }) { data { id } }`,
    )
    const { errors } = await graphql(
      `{ articles(pagination: { limit: 100 }) { data { attributes { category { data { attributes { ${inner.join(' ')} } } } } } } }`,
    )
    expect(errors?.[0]?.message).toMatch(
      /^This request costs \d+ of \d+ that are allowed; its most expensive part is populate category\.articles/,
    )
  })

  test('fields of the root together, which alone are cheap enough', async () => {
    const one = (name: string): string =>
      `${name}: articles(filters: { tags: { articles: { title: { contains: "a" } } } }) { data { id } }`
    const fields = (count: number): string =>
      Array.from({ length: count }, (_, index) => one(`f${index}`).replace('"a"', `"a${index}"`)).join(' ')
    expect((await graphql(`{ ${fields(1)} }`)).errors).toBeUndefined()
    expect((await graphql(`{ ${fields(8)} }`)).errors?.[0]?.message).toContain('that are allowed')
  })

  test('operations of a batch together', async () => {
    const query =
      '{ articles(filters: { tags: { articles: { title: { contains: "a" } } } }) { data { id } } }'
    const answer = await cms.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: 8 }, () => ({ query }))),
    })
    const answers = (await answer.json()) as GraphqlAnswer[]
    expect(answers.at(0)?.errors).toBeUndefined()
    expect(answers.at(-1)?.errors?.[0]?.message).toContain('that are allowed')
  })

  test.each([300, 997])('%i conditions', async (count) => {
    const f = { or: Array.from({ length: count }, (_, index) => ({ title: { eq: `a${index}` } })) }
    const { errors } = await graphql(
      'query($f: ArticleFiltersInput) { articles(filters: $f) { data { id } } }',
      { f },
    )
    expect(errors?.[0]?.message).toContain(`its most expensive part is filters title $eq`)
  })
})

describe('answered', () => {
  test.each([
    [
      'a sort through a relation to many',
      '/api/articles?sort=category.articles.title&pagination[pageSize]=1',
    ],
    [
      'three levels, pages of 100',
      '/api/articles?populate[tags]=*&populate[author][populate][friends]=*&pagination[pageSize]=100',
    ],
    ['a search', '/api/articles?_q=title'],
    ['all related entries of a page', '/api/authors?populate=articles&pagination[pageSize]=25'],
    [
      'many conditions',
      `/api/tags?${Array.from({ length: 60 }, (_, index) => `filters[$or][${index}][name]=tag ${index}`).join('&')}`,
    ],
  ])('%s', async (_name, path) => {
    expect((await ask(path)).status).toBe(200)
  })

  test('1,000 conditions on a small type', async () => {
    const f = { or: Array.from({ length: 1000 }, (_, index) => ({ name: { eq: `tag ${index}` } })) }
    const { data } = await graphql(
      'query($f: TagFiltersInput) { tags(filters: $f) { meta { pagination { total } } } }',
      { f },
    )
    expect(data.tags.meta.pagination.total).toBe(100)
  })

  test('an entry that many share is the same in each of them', async () => {
    const { text } = await ask('/api/articles?populate[category][fields]=name&pagination[pageSize]=100')
    const { data } = JSON.parse(text)
    expect(
      new Set(
        data.map((each: { attributes: { category: unknown } }) => JSON.stringify(each.attributes.category)),
      ),
    ).toEqual(new Set(['{"data":{"id":1,"attributes":{"name":"category 1"}}}']))
  })
})

interface GraphqlAnswer {
  readonly data: { readonly tags: { readonly meta: { readonly pagination: { readonly total: number } } } }
  readonly errors?: readonly { readonly message: string }[]
}

async function graphql(query: string, variables?: unknown): Promise<GraphqlAnswer> {
  const answer = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await answer.json()) as GraphqlAnswer
}
