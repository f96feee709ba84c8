// The console says which lists look at all entries of a large type, with the index to declare, and that the index helps.

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { postgresHere } from '../support/postgres.ts'
import { openTestDatabase, type TestClient } from '../support/test-database.ts'

const MOST = 20

interface Setting {
  readonly index?: { readonly article?: unknown[]; readonly tag?: unknown[] } | undefined
  readonly scanWarning?: number | null
  readonly tags?: number
}

const configOf = ({ index = {}, scanWarning = MOST, tags = 3 }: Setting) => ({
  console: true,
  rest: { limits: { scanWarning } },
  plugins: { graphql: true, 'users-permissions': true },
  contentTypes: {
    article: {
      index: index.article ?? [],
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        code: { type: 'string', unique: true },
        views: 'integer',
        open: 'boolean',
        tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
      },
    },
    tag: { index: index.tag ?? [], attributes: { name: 'string' } },
  },
  auth: { roles: { public: { permissions: ['article.read', 'tag.read'] } } },
  data: {
    tag: Array.from({ length: tags }, (_, at) => ({ id: at + 1, name: `tag ${at}` })),
    article: Array.from({ length: MOST + 10 }, (_, at) => ({
      title: `title ${at}`,
      code: `code ${at}`,
      views: at,
      tag: (at % tags) + 1,
    })),
  },
})

/** Opens one with a file of its own; `asks` returns what the console says of lists after the query that it did not say before. */
async function open(client: TestClient, setting: Setting) {
  const database = await openTestDatabase(client)
  const cms = await createCms({ ...configOf(setting), ...database.options }, { env: {} })
  const { port, consoleUrl } = await cms.listen(0, '127.0.0.1')
  const key = /#key=(.+)$/.exec(consoleUrl ?? '')?.[1] ?? ''
  async function scans(): Promise<readonly string[]> {
    const headers = { 'x-console-key': key }
    const answer = await fetch(`http://127.0.0.1:${port}/_console/scans`, { headers })
    return ((await answer.json()) as { scans: string[] }).scans
  }
  // A server's numbers arrive beside the requests.
  for (let turn = 0; client === 'postgres' && turn < 50; turn++) {
    await scans()
    await cms.fetch(`/api/articles?sort=code&filters[code][$eq]=${turn}`)
    await cms.fetch(`/api/articles?filters[tag][name][$eq]=${turn}&filters[code][$eq]=a`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  let said: readonly string[] = []
  return {
    cms,
    async asks(query: string): Promise<readonly string[]> {
      for (let turn = 0; turn < 3; turn++) {
        const answer = await cms.fetch(`/api/articles?${query}`)
        expect([query, answer.status]).toEqual([query, 200])
      }
      const before = said
      said = await scans()
      return said.filter((text) => !before.includes(text))
    },
    close: async () => {
      await cms.close()
      await database.drop()
    },
  }
}

function indexesIn(message: string | undefined): Setting['index'] {
  const [, text = ''] =
    /there are: (contentTypes: .*)$/.exec(message ?? '') ?? expect.fail(`no index: ${message}`)
  const { contentTypes } = parse(text) as { contentTypes: Record<string, { index: unknown[] }> }
  return Object.fromEntries(Object.entries(contentTypes).map(([key, { index }]) => [key, index]))
}

const here = await postgresHere()
const clients: TestClient[] = ['memory', 'sqlite', ...(here === undefined ? [] : (['postgres'] as const))]

const HELPED = [
  ['filters[title][$eq]=a', { article: ['title'] }],
  ['filters[title][$in]=a&sort=views', { article: [['title', 'views']] }],
  ['filters[views][$gt]=5', { article: ['views'] }],
  ['filters[views][$gt]=5&filters[open][$eq]=true&sort=title:desc', { article: [['open', 'title']] }],
  ['sort=views', { article: ['views'] }],
  ['sort=views:desc,title:desc', { article: [['views', 'title']] }],
  ['sort=views:desc,title', { article: ['views'] }],
  ['filters[$or][0][title]=a&filters[$or][1][views]=1', { article: ['title', 'views'] }],
  ['filters[tag][name][$eq]=a', { tag: ['name'] }],
] as const

describe.each(clients)('over %s', (client) => {
  // What is missing is told from the file; where it is kept decides only about texts and how sizes are known.
  test.each(client === 'sqlite' ? HELPED : [HELPED[0], HELPED[8]])('%s needs %j', async (query, expected) => {
    const tags = 'tag' in expected ? MOST + 1 : 3
    const first = await open(client, { tags })
    const [message, ...more] = await first.asks(query)
    expect(more).toEqual([])
    expect(message).toContain(`all of ${MOST + 10} entries`)
    const index = indexesIn(message)
    expect(index).toEqual(expected)
    await first.close()
    const second = await open(client, { tags, index })
    expect(await second.asks(query)).toEqual([])
    await second.close()
  })

  test('texts need an index of texts, where there are such', async () => {
    const setting = await open(client, {})
    const [contains] = await setting.asks('filters[title][$containsi]=tle&sort=views')
    if (client === 'memory') expect(contains).toContain('no index')
    else expect(indexesIn(contains)).toEqual({ article: [{ text: ['title'] }] })
    // The letters are too few for an index that there is, not for one that could be.
    const [short] = await setting.asks('_q=le')
    if (client === 'memory') expect(short).toContain('no index')
    else expect(indexesIn(short)).toEqual({ article: [{ text: ['title', 'code'] }] })
    await setting.close()
    if (client === 'memory') return
    const helped = await open(client, { index: { article: [{ text: ['title', 'code'] }] } })
    expect(await helped.asks('filters[title][$containsi]=tle&sort=views')).toEqual([])
    expect(await helped.asks('_q=title')).toEqual([])
    expect((await helped.asks('filters[title][$contains]=tl'))[0]).toContain('no index')
    await helped.close()
  })
})

describe('over a file', () => {
  const asking = async (
    setting: Setting,
    ask: (asked: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ) => {
    const opened = await open('sqlite', setting)
    await ask(opened)
    await opened.close()
  }

  test('no index serves these', () =>
    asking({}, async ({ asks }) => {
      for (const query of [
        'filters[title][$ne]=a',
        'filters[title][$eqi]=a',
        'filters[$not][title]=a',
        'filters[tag][id][$null]=true',
        'sort=tag.name',
      ])
        expect([query, await asks(query)]).toEqual([query, [expect.stringContaining('; no index')]])
    }))

  test('these need none, or look at few entries', () =>
    asking({}, async ({ asks }) => {
      for (const query of [
        '',
        'sort=id:desc',
        'filters[id][$gt]=3&filters[title]=a',
        'filters[code]=a&sort=title',
        'sort=createdAt',
        'publicationState=preview&filters[publishedAt][$null]=true',
        'filters[tag][name]=a',
        'populate=*',
      ])
        expect([query, await asks(query)]).toEqual([query, []])
    }))

  test('the same is said once, whatever the values, the page and the other API', () =>
    asking({}, async ({ cms, asks }) => {
      expect(await asks('filters[views]=1')).toHaveLength(1)
      for (const query of ['filters[views]=2', 'filters[views]=1&pagination[limit]=3&fields=title'])
        expect(await asks(query)).toEqual([])
      await cms.graphql('{ articles(filters: { views: { eq: 1 } }) { data { id } } }')
      expect(await asks('populate=tag&filters[views]=1')).toEqual([])
    }))

  test('a type with few entries is not named, and null names none', async () => {
    await asking({ scanWarning: MOST + 10 }, async ({ asks }) => {
      expect(await asks('filters[views]=1')).toEqual([])
    })
    await asking({ scanWarning: null }, async ({ asks }) => {
      expect(await asks('filters[views]=1')).toEqual([])
    })
  })
})
