// Answers that are kept are those of a server that keeps none: two instances with the same content and the same clock
// are asked and changed alike, over REST and GraphQL, plain and compressed.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { signedToken } from '../support/callers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const FILE = process.env['CMS_TEST_DATABASE'] === 'sqlite'
const QUESTIONS = process.env['LONG'] === '1' ? (FILE ? 20_000 : 100_000) : 4000
const SECRET = '0123456789abcdef0123456789abcdef'
const TOKENS = {
  all: 'a-token-of-forty-characters-for-the-test',
  ruled: 'another-token-of-forty-characters-or-so',
  ann: '',
  bob: '',
}
const USER = 'plugin::users-permissions.user'

const relation = (kind: string, target: string, more = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

const config = (cache: number | string) => ({
  rest: { cache },
  plugins: {
    i18n: { enabled: true, config: { locales: ['en', 'fr'], defaultLocale: 'en' } },
    graphql: true,
    'users-permissions': { config: { jwtSecret: SECRET } },
  },
  contentTypes: {
    [USER]: { attributes: { mark: 'string' } },
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        text: { type: 'text', default: 'some text that is worth compressing. '.repeat(20) },
        secret: { type: 'string', private: true },
        author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
        tags: relation('manyToMany', 'tag'),
        related: relation('manyToMany', 'article'),
        seo: { type: 'component', component: 'shared.seo' },
        zone: { type: 'dynamiczone', components: ['shared.seo'] },
      },
    },
    author: {
      attributes: { name: 'string', articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
    },
    tag: { attributes: { label: 'string' } },
    page: {
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        place: 'integer',
        tag: relation('manyToOne', 'tag'),
      },
    },
    home: { kind: 'singleType', attributes: { text: 'string', lead: relation('oneToOne', 'author') } },
  },
  components: {
    'shared.seo': { attributes: { text: 'string', tag: relation('manyToOne', 'tag') } },
  },
  auth: {
    roles: {
      public: {
        permissions: [
          'article.find',
          'article.findOne',
          'author.*',
          'tag.find',
          'tag.findOne',
          'page.*',
          'home.*',
        ],
      },
      authenticated: {
        permissions: [
          { 'article.read': { where: 'title == me.mark' } },
          { 'tag.read': { where: 'label != me.mark' } },
          'author.read',
        ],
      },
    },
    users: [
      { username: 'ann', email: 'ann@example.com', password: 'sea-and-salt', mark: 'a' },
      { username: 'bob', email: 'bob@example.com', password: 'tide-and-sand', mark: 'b' },
    ],
    apiTokens: [
      { name: 'all', type: 'full-access', token: TOKENS.all },
      {
        name: 'ruled',
        type: 'custom',
        token: TOKENS.ruled,
        permissions: [
          { 'article.read': { where: 'author.name == "a" || title == "b"' } },
          { 'tag.read': { where: 'label != "c"' } },
          'author.read',
          'page.find',
          'page.findOne',
          'home.find',
        ],
      },
    ],
  },
  data: {
    tag: [1, 2, 3, 4].map((id) => ({ id, label: `tag ${id}` })),
    author: [1, 2, 3, 4].map((id) => ({ id, name: `author ${id}` })),
    article: [1, 2, 3, 4].map((id) => ({
      id,
      title: `article ${id}`,
      author: (id % 2) + 1,
      tags: [1, 2],
      seo: { text: 'x', tag: 1 },
    })),
    page: [
      { id: 1, title: 'page', locale: 'en', place: 1, tag: 1 },
      { id: 2, title: 'page', locale: 'fr', place: 1, tag: 1, localizations: [1] },
    ],
    home: { text: 'home', lead: 1 },
  },
})

interface Step {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly coding?: 'gzip' | 'br'
  readonly as: 'public' | keyof typeof TOKENS
}

const id = fc.integer({ min: 1, max: 4 })
const text = fc.constantFrom('a', 'b', 'c')
const few = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  articles: [
    '?populate=*',
    '?populate[author][populate]=articles',
    '?populate[seo][populate]=tag&populate[zone][populate]=*',
    '?filters[title]=a',
    '?filters[author][name]=b',
    '?filters[tags][label]=c&sort=title:desc',
    '?filters[seo][tag][label]=a',
    '?filters[related][related][title]=b',
    '?sort=author.name,id',
    '?publicationState=preview',
    '?fields=title&pagination[limit]=2',
  ],
  authors: ['?populate=articles', '?populate[articles][populate]=tags', '?filters[articles][title]=a'],
  tags: ['?sort=label'],
  pages: ['?populate=localizations&locale=fr', '?locale=all', '?populate=tag', '?locale=fr'],
}

const gql = (query: string) => `/graphql?query=${encodeURIComponent(query)}`
const named = '{ data { attributes { name articles { data { id attributes { title } } } } } }'
const GRAPHQL = [
  '{ articles { data { id attributes { title text author { data { id } } tags { data { attributes { label } } } } } meta { pagination { total } } } }',
  '{ article(id: 2) { data { id attributes { title seo { text tag { data { id } } } } } } }',
  '{ articles(filters: { author: { name: { eq: "b" } } }, sort: "title:desc") { data { id } } tags { data { attributes { label } } } }',
  '{ one: article(id: 1) { data { id } } two: article(id: 3) { data { attributes { title zone { ... on ComponentSharedSeo { text } } } } } }',
  `{ authors ${named} }`,
  `{ author(id: 2) ${named} }`,
  '{ pages(locale: "fr") { data { id attributes { title place localizations { data { id } } } } } }',
  '{ page(id: 2) { data { attributes { title tag { data { attributes { label } } } } } } }',
  '{ home { data { attributes { text lead { data { attributes { name } } } } } } }',
  '{ __typename tag(id: 1) { data { attributes { label } } } }',
]

const reads = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...GRAPHQL).map(gql) },
  {
    weight: 10,
    arbitrary: fc
      .constantFrom(...Object.keys(QUERIES))
      .chain((type) =>
        fc
          .tuple(fc.option(id), fc.constantFrom('', '', ...(QUERIES[type] ?? [])))
          .map(([one, query]) => `${type}${one === null ? '' : `/${one}`}${query}`),
      ),
  },
  { weight: 1, arbitrary: fc.constantFrom('home', 'home?populate=lead') },
)

const question = fc
  .tuple(
    reads,
    fc.constantFrom<Step['as']>('public', 'public', 'all', 'ruled', 'ann', 'bob'),
    fc.constantFrom(undefined, undefined, 'gzip' as const, 'br' as const),
    fc.boolean(),
  )
  .map(([path, as, coding, posted]): Step => {
    const more = { as, ...(coding && { coding }) }
    const query = posted && path.startsWith('/graphql?query=') ? path.slice(15) : undefined
    if (query === undefined) return { method: 'GET', path, ...more }
    return { method: 'POST', path: '/graphql', body: { query: decodeURIComponent(query) }, ...more }
  })

const article = fc.record(
  {
    title: text,
    author: fc.option(fc.integer({ min: 1, max: 3 })),
    tags: few,
    related: few,
    seo: fc.option(fc.record({ text, tag: fc.option(fc.integer({ min: 1, max: 3 })) })),
    zone: fc.array(fc.record({ __component: fc.constant('shared.seo'), text }), { maxLength: 2 }),
    publishedAt: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
  },
  { requiredKeys: [] },
)
const author = fc.record({ name: text, articles: few }, { requiredKeys: [] })
const page = fc.record({ title: text, place: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: [] })

const put = (path: string, data: unknown): Omit<Step, 'as'> => ({ method: 'PUT', path, body: { data } })

const writes = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(id, article).map(([of, data]) => put(`articles/${of}`, data)) },
  { weight: 3, arbitrary: fc.tuple(id, author).map(([of, data]) => put(`authors/${of}`, data)) },
  { weight: 3, arbitrary: fc.tuple(id, text).map(([of, label]) => put(`tags/${of}`, { label })) },
  { weight: 3, arbitrary: fc.tuple(id, page).map(([of, data]) => put(`pages/${of}`, data)) },
  { weight: 1, arbitrary: text.map((value) => put('home', { text: value })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 2 }), text)
      .map(([of, mark]) => ({ method: 'PUT', path: `users/${of}`, body: { mark } })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(id, text).map(([of, label]) => ({
      method: 'POST',
      path: '/graphql',
      body: { query: `mutation { updateTag(id: ${of}, data: { label: "${label}" }) { data { id } } }` },
    })),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      article.map((data) => ({ method: 'POST', path: 'articles', body: { data } })),
      fc.tuple(id, text).map(([of, title]) => ({
        method: 'POST',
        path: `pages/${of}/localizations`,
        body: { locale: 'fr', title },
      })),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc
        .tuple(fc.constantFrom('articles', 'authors', 'tags', 'pages'), id)
        .map(([type, of]) => ({ method: 'DELETE', path: `${type}/${of}` })),
      fc.constant({ method: 'DELETE', path: 'home' }),
    ),
  },
)

/** One change, and questions that are asked from now on. */
const round = fc.record({ change: writes, asked: fc.array(question, { minLength: 2, maxLength: 4 }) })

/** Asked after every change: a sort through a relation, and an entry that shares values with its localization. */
const ALWAYS: readonly Step[] = [
  ...['articles?sort=author.name,id', 'pages/2', 'articles/1', 'authors/1', gql(GRAPHQL[3] ?? '')].map(
    (path): Step => ({ method: 'GET', path, as: 'all' }),
  ),
  { method: 'GET', path: 'articles?populate=tags', as: 'ann' },
  { method: 'GET', path: 'articles?populate=tags', as: 'bob' },
  { method: 'GET', path: 'articles', as: 'public', coding: 'gzip' },
]

/** Questions that are asked again after each change. */
const AGAIN = 24

let keeping: Cms
let plain: Cms
let restore: () => Promise<void>
const databases: TestDatabase[] = []

const client = FILE ? 'sqlite' : 'memory'

beforeAll(async () => {
  vi.useFakeTimers({ now: new Date('2026-05-01'), toFake: ['Date'] })
  // Tokens of users are checked against the clock.
  TOKENS.ann = await signedToken(SECRET, 1)
  TOKENS.bob = await signedToken(SECRET, 2)
  const open = async (cache: number | string): Promise<readonly [Cms, () => Promise<void>]> => {
    const database = await openTestDatabase(client)
    databases.push(database)
    const cms = await createCms(config(cache), database.options)
    return [cms, await database.keep(cms)]
  }
  const [one, two] = [await open('1mb'), await open(0)]
  keeping = one[0]
  plain = two[0]
  // To a file, this is a write of another program.
  restore = async () => void (await Promise.all([one[1](), two[1]()]))
})

afterAll(async () => {
  await keeping?.close()
  await plain?.close()
  for (const database of databases) await database.drop()
  vi.useRealTimers()
})

// The long form takes minutes.
test(`${QUESTIONS} reads and writes in any order`, { timeout: 0 }, async () => {
  const tags = new Map<string, { readonly etag: string; readonly body: string }>()
  const seen = { kept: 0, notModified: 0, ok: 0, coded: 0, graphql: 0 }

  async function ask(cms: Cms, { method, path, body, coding, as }: Step, etag?: string): Promise<Response> {
    const headers = {
      ...(as === 'public' ? {} : { authorization: `Bearer ${TOKENS[as]}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(path.startsWith('/graphql') ? { 'apollo-require-preflight': 'yes' } : {}),
      ...(coding === undefined ? {} : { 'accept-encoding': coding }),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    return cms.fetch(path.startsWith('/') ? path : `/api/${path}`, { method, headers, body: text })
  }

  async function compare(step: Step, conditional: boolean): Promise<void> {
    const key = `${step.as} ${step.coding ?? ''} ${step.path}`
    const had = tags.get(key)
    const [kept, asked] = await Promise.all([
      ask(keeping, step, conditional ? had?.etag : undefined),
      ask(plain, step),
    ])
    const truth = await asked.text()
    if (kept.status === 304) {
      seen.notModified += 1
      expect([step, had?.body]).toEqual([step, truth])
      return
    }
    const body = await textOf(kept)
    expect([step, kept.status, body]).toEqual([step, asked.status, truth])
    if (step.method !== 'GET' || kept.status !== 200) return
    seen.ok += 1
    const etag = kept.headers.get('etag')
    const coded = kept.headers.get('content-encoding')
    if (coded !== null) {
      seen.coded += 1
      expect([coded, step.as]).toEqual([step.coding, 'public'])
    }
    if (etag === null) return
    // A version alone says nothing about populated entries: it is no reason for a 304 and may have another body.
    if (/^"\d+"$/.test(etag)) {
      tags.set(key, { etag, body })
      return
    }
    // One entry has its version before the hash.
    expect(etag).toMatch(coded === null ? /^"(?:\d+-)?[\w-]{27}"$/ : /^"(?:\d+-)?[\w-]{27}-(?:gzip|br)"$/)
    if (had?.etag === etag) {
      seen.kept += 1
      if (step.path.startsWith('/graphql')) seen.graphql += 1
      expect(body).toBe(had.body)
    }
    tags.set(key, { etag, body })
  }

  let questions: readonly Step[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 10, maxLength: 10 }), async (rounds) => {
      await restore()
      for (const [index, { change, asked }] of rounds.entries()) {
        vi.setSystemTime(Date.now() + 1)
        await compare({ ...change, as: 'all' }, false)
        questions = [...asked, ...questions].slice(0, AGAIN - ALWAYS.length)
        for (const [at, step] of [...ALWAYS, ...questions].entries())
          await compare(step, (index + at) % 4 === 0)
      }
    }),
    { numRuns: Math.ceil(QUESTIONS / AGAIN / 10) },
  )
  // The property says nothing unless answers were kept, compressed, and changed.
  expect(seen.kept).toBeGreaterThan(QUESTIONS / 10)
  expect(seen.notModified).toBeGreaterThan(QUESTIONS / 20)
  expect(seen.ok - seen.kept).toBeGreaterThan(QUESTIONS / 20)
  expect(seen.coded).toBeGreaterThan(QUESTIONS / 100)
  expect(seen.graphql).toBeGreaterThan(QUESTIONS / 100)
})

test('a value that localizations share', async () => {
  await restore()
  const authorization = `Bearer ${TOKENS.all}`
  const shown = async (): Promise<unknown> =>
    (await keeping.fetch('/api/pages/2', { headers: { authorization } })).json()
  for (const place of [3, 2, 3]) {
    const body = JSON.stringify({ data: { place } })
    const headers = { authorization, 'content-type': 'application/json' }
    await keeping.fetch('/api/pages/1', { method: 'PUT', headers, body })
    for (let time = 0; time < 3; time++)
      expect(await shown()).toMatchObject({ data: { attributes: { place } } })
  }
})

async function textOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  if (coding === null) return bytes.toString()
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
}
