// Counts and sums: groups, conditions and orders of `/aggregate`, the numbers of related entries, over both APIs.

import { describe, expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const config = {
  plugins: { graphql: true },
  rest: { cache: '8mb' },
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        rating: 'decimal',
        views: 'integer',
        day: 'date',
        extra: 'json',
        secret: { type: 'string', private: true },
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          inversedBy: 'articles',
        },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      },
    },
    author: {
      options: { draftAndPublish: false },
      attributes: {
        name: 'string',
        articles: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::article.article',
          mappedBy: 'author',
        },
      },
    },
    tag: { options: { draftAndPublish: false }, attributes: { name: 'string', count: 'integer' } },
    note: { options: { draftAndPublish: false }, attributes: { text: 'string' } },
  },
  auth: {
    roles: { public: { permissions: ['article.find', 'article.create', 'author.find', 'tag.find'] } },
    apiTokens: [
      {
        name: 'good',
        type: 'custom',
        token: 'good-0123456789abcdef',
        permissions: [{ 'article.find': { where: 'rating >= 4', fields: ['title', 'rating'] } }],
      },
    ],
  },
  data: {
    author: [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bo' },
      { id: 3, name: 'Cy' },
    ],
    tag: [
      { id: 1, name: 'x', count: 5 },
      { id: 2, name: 'y', count: 1 },
    ],
    article: [
      { id: 1, title: 'a', rating: 1, views: 10, day: '2030-01-06', author: 1, tags: [1, 2] },
      { id: 2, title: 'b', rating: 4, views: 20, day: '2030-01-07', author: 1, tags: [2] },
      { id: 3, title: 'c', rating: 5, views: 30, day: '2030-02-01', author: 2 },
      { id: 4, title: 'd', day: '2031-02-01', publishedAt: null, author: 2 },
    ],
  },
}

const DATES = ['createdAt', 'updatedAt', 'author.createdAt', 'author.updatedAt', 'publishedAt', 'day']
const TOO_MANY = `aggregate?${['min', 'max', 'count', 'countDistinct'].map((fn) => `aggregate[${fn}]=${DATES.join()}`).join('&')}`

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const cms = openForTests({ ...config, dialect })

  interface Reply {
    readonly status: number
    readonly data: unknown
    readonly error: { readonly message: string } | undefined
  }

  async function get(path: string, token?: string): Promise<Reply> {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}-0123456789abcdef` }
    const response = await cms().fetch(`/api/${path}`, { headers })
    const { data, error } = (await response.json()) as Reply
    return { status: response.status, data, error }
  }

  test.each([
    ['articles/count', { count: 3 }],
    ['articles/count?filters[views][$gt]=10', { count: 2 }],
    ['articles/aggregate', [{ count: 3 }]],
    [
      'articles/aggregate?aggregate[count]=*&aggregate[avg]=rating&groupBy[0]=author.name',
      [
        { group: { 'author.name': 'Ada' }, count: 2, avg: { rating: 2.5 } },
        { group: { 'author.name': 'Bo' }, count: 1, avg: { rating: 5 } },
      ],
    ],
    [
      'articles/aggregate?groupBy=week(day)&aggregate[sum]=views&aggregate[max]=title,day',
      [
        { group: { 'week(day)': '2029-12-31' }, sum: { views: 10 }, max: { title: 'a', day: '2030-01-06' } },
        { group: { 'week(day)': '2030-01-07' }, sum: { views: 20 }, max: { title: 'b', day: '2030-01-07' } },
        { group: { 'week(day)': '2030-01-28' }, sum: { views: 30 }, max: { title: 'c', day: '2030-02-01' } },
      ],
    ],
    [
      'articles/aggregate?groupBy=author.id,year(day)&having[count][$gt]=1&sort=count:desc',
      [{ group: { 'author.id': 1, 'year(day)': '2030' }, count: 2 }],
    ],
    [
      'articles/aggregate?groupBy=title&sort=avg.rating:desc&pagination[limit]=1',
      [{ group: { title: 'c' }, count: 1 }],
    ],
    [
      'articles/aggregate?groupBy=title&pagination[page]=2&pagination[pageSize]=2',
      [{ group: { title: 'c' }, count: 1 }],
    ],
    [
      'articles/aggregate?filters[title]=none&aggregate[count]=*&aggregate[avg]=views',
      [{ count: 0, avg: { views: null } }],
    ],
    ['articles/aggregate?filters[title]=none&groupBy=title', []],
  ])('%s', async (path, data) => {
    expect(await get(path)).toEqual({ status: 200, data, error: undefined })
  })

  test.each([
    ['aggregate?aggregate[avg]=title', 'Invalid aggregate avg.title: avg needs a number'],
    ['aggregate?aggregate[min]=extra', 'Invalid aggregate min.extra: min needs values with an order'],
    ['aggregate?aggregate[median]=views', /expected count, countDistinct, min, max, sum, avg/],
    ['aggregate?aggregate[avg]=*', 'Invalid aggregate avg: avg needs an attribute, such as avg.id'],
    ['aggregate?aggregate=views', /Invalid aggregate: expected functions/],
    ['aggregate?groupBy=tags.name', /an entry has several values there/],
    ['aggregate?groupBy=hour(day)', 'Invalid groupBy hour(day): expected day, week, month, year'],
    ['aggregate?groupBy=month(title)', 'Invalid groupBy month(title): expected a date or datetime'],
    ['aggregate?groupBy=extra', 'Invalid groupBy extra: JSON has no groups'],
    ['aggregate?groupBy=secret', /secret/],
    ['aggregate?aggregate[max]=secret', /secret/],
    ['aggregate?having[secret][$gt]=1', /secret/],
    ['aggregate?having[count][$like]=1', /expected \$eq, \$ne, \$lt, \$lte, \$gt, \$gte/],
    ['aggregate?having[count][$gt]=many', 'Invalid having count: expected a number'],
    ['aggregate?fields=title', /fields has no effect here/],
    ['aggregate?populate=*', /populate has no effect here/],
    ['aggregate?filters[secret]=x', /secret/],
    ['count?sort=title', /sort has no effect here/],
    [TOO_MANY, /Too many groups and measures: at most 20/],
  ])('%s is a 400', async (path, message) => {
    const { status, error } = await get(`articles/${path}`)
    expect(status).toBe(400)
    if (typeof message === 'string') expect(error?.message).toBe(message)
    else expect(error?.message).toMatch(message)
  })

  test('they are those of the entries that the caller can find', async () => {
    expect((await get('articles/count', 'good')).data).toEqual({ count: 2 })
    expect((await get('articles/aggregate?aggregate[sum]=rating', 'good')).data).toEqual([
      { sum: { rating: 9 } },
    ])
    expect((await get('articles/aggregate?aggregate[sum]=views', 'good')).status).toBe(400)
    expect((await get('articles/aggregate?groupBy=author.name', 'good')).status).toBe(400)
    expect((await get('notes/count')).status).toBe(403)
    expect((await get('notes/aggregate')).status).toBe(403)
  })

  test('the number of related entries filters, sorts and is populated', async () => {
    const names = async (query: string): Promise<unknown> => {
      const { data, error } = await get(`authors?${query}`)
      return (
        error?.message ??
        (data as Record<string, unknown>[]).map(
          (entry) => (entry['attributes'] as Record<string, unknown> | undefined)?.['name'] ?? entry['name'],
        )
      )
    }
    // The draft is not counted.
    expect(await names('filters[articles][$size][$gte]=1&sort=name')).toEqual(['Ada', 'Bo'])
    expect(await names('filters[articles][$size]=0')).toEqual(['Cy'])
    expect(await names('filters[articles][$size][$gt]=0&filters[articles][title]=c')).toEqual(['Bo'])
    expect(await names('filters[$not][articles][$size][$gte]=2&sort=name')).toEqual(['Bo', 'Cy'])
    expect(await names('sort=articles.count:desc')).toEqual(['Ada', 'Bo', 'Cy'])
    expect(await names('sort=articles.count')).toEqual(['Cy', 'Bo', 'Ada'])
    const { data } = await get('authors?populate[articles][count]=true&sort=id&pagination[limit]=1')
    expect(JSON.stringify(data)).toMatch('"count":2')
    expect((await get('articles?filters[author][$size]=1')).error?.message).toBe(
      'Operator $size of author needs a relation to many',
    )
    expect((await get('authors?filters[articles][$size][$in]=1')).status).toBe(400)
    // An attribute of this name comes first.
    const byAttribute = await get('articles?sort=tags.count:desc&filters[tags][id][$notNull]=true')
    expect(JSON.stringify(byAttribute.data)).toMatch(/"a".*"b"/)
    expect((await get('articles?sort=author.count')).status).toBe(400)
  })

  test('GraphQL asks by fields', async () => {
    const { data, errors } = await cms().graphql(
      `query ($least: Int) { articlesAggregate(filters: { views: { gte: $least } }, groupBy: ["author.name"], having: { count: { gte: 1 } }, sort: ["avg.rating:desc"]) {
        group count rated: count(of: "rating") avg(of: "rating") views: sum(of: "views") first: min(of: "day")
      } }`,
      { least: 20 },
    )
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      articlesAggregate: [
        { group: { 'author.name': 'Bo' }, count: 1, rated: 1, avg: 5, views: 30, first: '2030-02-01' },
        { group: { 'author.name': 'Ada' }, count: 1, rated: 1, avg: 4, views: 20, first: '2030-01-07' },
      ],
    })
    const refused = await cms().graphql('{ articlesAggregate { max(of: "secret") } }')
    expect(refused.errors?.[0]?.message).toMatch('secret')
    const forbidden = await cms().graphql('{ notesAggregate { count } }')
    expect(forbidden.errors?.[0]?.message).toBe('Forbidden access')
  })

  test('code asks without limits and permissions', async () => {
    const rows = await cms()
      .entries('article')
      .aggregate({
        aggregate: { count: '*', max: ['rating', 'author.name'] },
        groupBy: 'month(day)',
        having: { count: { $gte: 1 } },
        sort: 'month(day):desc',
        filters: { rating: { $notNull: true } },
        status: 'published',
      })
    expect(rows).toEqual([
      { group: { 'month(day)': '2030-02' }, count: 1, max: { rating: 5, 'author.name': 'Bo' } },
      { group: { 'month(day)': '2030-01' }, count: 2, max: { rating: 4, 'author.name': 'Ada' } },
    ])
  })

  test('a response that was kept follows the entries', async () => {
    const before = await get('articles/count?filters[title]=new')
    expect(before.data).toEqual({ count: 0 })
    await cms().fetch('/api/articles', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"title":"new"}}',
    })
    expect((await get('articles/count?filters[title]=new')).data).toEqual({ count: 1 })
  })
})
