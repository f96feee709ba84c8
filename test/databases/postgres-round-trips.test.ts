// How often PostgreSQL is asked for one request: once for a list with its total, once more for each populated depth.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { type ServerProxy, startServerProxy } from '../support/server-proxy.ts'

const here = await postgresHere()

const relation = (target: string, kind = 'manyToMany') => ({ type: 'relation', relation: kind, target })
const config = {
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', unique: true },
        author: relation('api::author.author', 'manyToOne'),
        tags: relation('api::tag.tag'),
        seo: { type: 'component', component: 'shared.seo' },
        body: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      },
    },
    author: { attributes: { name: 'string', likes: relation('api::tag.tag') } },
    tag: { attributes: { name: 'string' } },
  },
  components: {
    'shared.seo': { attributes: { title: 'string', tags: relation('api::tag.tag', 'oneToMany') } },
    'shared.quote': { attributes: { words: 'string' } },
  },
  auth: { roles: { public: { permissions: ['article.*', 'author.*', 'tag.*'] } } },
  data: {
    tag: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
    author: [{ id: 1, name: 'Ada', likes: [2] }],
    article: [1, 2, 3].map((id) => ({
      id,
      title: `Article ${id}`,
      author: 1,
      tags: [2, 1],
      seo: { title: 'seo', tags: [1] },
      body: [
        { __component: 'shared.quote', words: 'first' },
        { __component: 'shared.seo', title: 'second' },
      ],
    })),
  },
}

describe.skipIf(here === undefined).each([
  ['with named statements', false],
  ['behind a pooler', true],
] as const)('%s', (_name, pooler) => {
  let cms: Cms
  let proxy: ServerProxy
  let schema: TestSchema

  beforeAll(async () => {
    proxy = await startServerProxy(here ?? '')
    schema = await openTestSchema(here ?? '')
    const database = {
      client: 'postgres',
      connection: proxy.url,
      schema: schema.schema,
      pool: { min: 1, max: 1 },
      pooler,
    } as const
    cms = await createCms(config, { database })
    await cms.fetch('/api/articles')
  })
  afterAll(async () => {
    await cms.close()
    await proxy.close()
    await schema.drop()
  })

  /** One round trip on the pool's one connection: what was begun before is over. */
  const settled = () => cms.entries('tag').count()

  /** Those that the answer waited for; what ends a transaction of reads comes after it. */
  async function tripsOf(path: string, init?: RequestInit): Promise<number> {
    // The first one asks for the numbers that prices are made of, too.
    if (init === undefined) await cms.fetch(path)
    await settled()
    const before = proxy.roundTrips
    const response = await cms.fetch(path, init)
    expect(response.status, await response.text()).toBe(200)
    await settled()
    const all = proxy.roundTrips - before - 1
    return init === undefined && all > 1 ? all - 1 : all
  }

  test.each([
    ['one entry', '/api/articles/1', 1],
    ['a list and its total', '/api/articles?sort=title&filters[author][name]=Ada', 1],
    ['one relation', '/api/articles?populate=author', 2],
    ['everything of one depth', '/api/articles?populate=*', 2],
    [
      'two depths',
      '/api/articles?populate[author][populate]=likes&populate[seo][populate]=tags&populate[tags]=true',
      3,
    ],
    ['one entry with everything', '/api/articles/1?populate=*', 2],
    ['nothing found, nothing populated', '/api/articles?populate=*&filters[title]=none', 1],
  ])('%s', async (_what, path, trips) => {
    expect(await tripsOf(path)).toBe(trips)
  })

  test('a create: what is taken, the row, the answer, the commit', async () => {
    const body = JSON.stringify({ data: { name: 'Bo' } })
    const headers = { 'content-type': 'application/json' }
    expect(await tripsOf('/api/authors', { method: 'POST', headers, body })).toBeLessThanOrEqual(3)
  })
})
