// What a server remembers from one request never changes the answer to another: any sequence of requests is answered by
// one server as it is by servers that were asked nothing else.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const TOKENS = { reader: 'reader-token-of-the-test', editor: 'editor-token-of-the-test' } as const

const MOMENT = '2024-01-01T00:00:00.000Z'
const DRAFT = { createdAt: MOMENT, updatedAt: MOMENT, publishedAt: null }
const PUBLISHED = { ...DRAFT, publishedAt: MOMENT }

const configOf = (tracing: boolean) => ({
  rest: { publicDrafts: false, strict: false },
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        title: 'string',
        rank: 'integer',
        facts: 'json',
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        boxes: { type: 'component', component: 'ui.box', repeatable: true },
      },
    },
    tag: {
      options: { draftAndPublish: true },
      attributes: { name: 'string', weight: 'float' },
    },
    secret: { attributes: { name: 'string' } },
  },
  components: { 'ui.box': { attributes: { label: 'string' } } },
  plugins: {
    i18n: { config: { locales: ['en', 'de'], defaultLocale: 'en' } },
    graphql: { config: { apolloServer: { tracing } } },
  },
  auth: {
    roles: { public: { permissions: ['article.find', 'article.findOne', 'tag.find'] } },
    apiTokens: [
      { name: 'reader', type: 'read-only', token: TOKENS.reader },
      { name: 'editor', type: 'full-access', token: TOKENS.editor },
    ],
  },
  data: {
    tag: [
      { id: 1, name: 'a', weight: 0, ...PUBLISHED },
      { id: 2, name: 'b', ...DRAFT },
      { id: 3, name: 'a', weight: 1.5, ...PUBLISHED },
    ],
    article: [
      { id: 1, title: 'a', rank: 1, facts: { a: 1 }, tags: [1, 2, 3], ...PUBLISHED, locale: 'en' },
      { id: 2, title: 'b', rank: 2, tags: [3, 2], ...DRAFT, locale: 'en' },
      { id: 3, title: 'c', facts: null, boxes: [{ label: 'x' }], ...PUBLISHED, locale: 'de' },
      { id: 4, rank: 1, tags: [2], boxes: [{ label: 'y' }, { label: 'x' }], ...PUBLISHED },
    ],
    secret: [{ id: 1, name: 's', createdAt: MOMENT, updatedAt: MOMENT }],
  },
})

interface Asked {
  readonly caller: keyof typeof TOKENS | 'public'
  readonly path: string
  /** Of GraphQL, as text: JSON can say more numbers than JavaScript writes. */
  readonly body?: string
}

async function answerOf(cms: Cms, { caller, path, body }: Asked): Promise<unknown> {
  const response = await cms.fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(caller === 'public' ? {} : { authorization: `Bearer ${TOKENS[caller]}` }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  // Timings differ each time.
  const parsed = JSON.parse(text, (key, value: unknown) =>
    key === 'extensions' ? undefined : value,
  ) as unknown
  return { status: response.status, body: parsed }
}

/** Answered once by a server of its own: what it is compared with does not change. */
function answersOfFreshServers(config: Readonly<Record<string, unknown>>) {
  const known = new Map<string, unknown>()
  return async (asked: Asked): Promise<unknown> => {
    const key = JSON.stringify(asked)
    if (!known.has(key)) {
      const fresh = await createCms(config, { env: {} })
      known.set(key, await answerOf(fresh, asked).finally(() => fresh.close()))
    }
    return known.get(key)
  }
}

/** A variable: left out, null, or a value, as JSON text. */
const variable = (...values: readonly string[]) => fc.constantFrom(undefined, 'null', ...values)

const variables = fc
  .record({
    s: variable('"LIVE"', '"PREVIEW"'),
    f: variable(
      '{}',
      '{"name":{"eq":"a"}}',
      '{"name":{"eq":null}}',
      '{"name":null}',
      '{"weight":{"lt":1e-400}}',
    ),
    w: variable('0', '-0', '1.5'),
    j: variable('1e999', '-1e999', '0', '"0"', '[]', '{}', '"null"'),
    p: variable(
      ...['{}', '{"limit":1}', '{"limit":null}', '{"start":1}', '{"start":1,"limit":1}', '{"limit":-1}'],
      ...['{"page":2,"pageSize":1}', '{"pageSize":2}', '{"page":0}', '{"page":1,"start":1}'],
    ),
    o: variable('[]', '["name:desc"]', '"name"', '[null]'),
    l: variable('"de"', '"en"', '"all"'),
    b: variable('true', 'false'),
  })
  .map((given) => {
    const parts = Object.entries(given).flatMap(([name, text]) =>
      text === undefined ? [] : [`"${name}":${text}`],
    )
    return `{${parts.join(',')}}`
  })

const DEFINITIONS = {
  s: 'PublicationState',
  f: 'TagFiltersInput',
  w: 'Float',
  j: 'JSON',
  p: 'PaginationArg',
  o: '[String]',
  l: 'I18NLocaleCode',
  b: 'Boolean',
} as const

const DEFAULTS: Readonly<Partial<Record<keyof typeof DEFINITIONS, string>>> = {
  s: 'PREVIEW',
  f: '{ name: { eq: "b" } }',
  w: '0',
  p: '{ limit: 1 }',
  o: '["name:desc"]',
  l: '"de"',
  b: 'true',
}

const SELECTIONS = [
  'articles { data { id attributes { tags(publicationState: $s) { data { id } } } } }',
  'articles(publicationState: $s) { data { id attributes { title } } }',
  'articles { data { attributes { tags(filters: $f, pagination: $p, sort: $o) { data { id attributes { name } } } } } }',
  'articles(filters: { tags: $f }) { data { id } meta { pagination { total } } }',
  'articles { data { attributes { tags(filters: { weight: { eq: $w } }) { data { id } } } } }',
  'articles { data { attributes { tags(filters: { weight: { null: $b } }) { data { id } } } } }',
  'articles(filters: { facts: { eq: $j } }) { data { id } }',
  'articles { data { attributes { tags { data { id @include(if: $b) attributes { name @skip(if: $b) } } } } } }',
  'articles(locale: $l, sort: $o) { data { id } }',
  'article(id: 1, locale: $l) { data { attributes { tags(publicationState: $s, pagination: $p) { data { id } } } } }',
  'articles { ...Part } ',
  'secrets { data { id } }',
  'tags(filters: $f, publicationState: $s, pagination: $p, sort: $o) { data { id } meta { pagination { pageSize } } }',
] as const

const FRAGMENT =
  'fragment Part on ArticleEntityResponseCollection { data { attributes { tags(publicationState: $s, sort: $o) { data { id } } boxes(sort: $o, pagination: $p) { label } } } }'

const caller = fc.constantFrom('public', 'reader', 'editor')

/** One document asked by several callers with several variables. */
const graphql: fc.Arbitrary<readonly Asked[]> = fc
  .record({
    selected: fc.uniqueArray(fc.constantFrom(...SELECTIONS), { minLength: 1, maxLength: 2 }),
    defaulted: fc.boolean(),
    asks: fc.array(fc.tuple(caller, variables), { minLength: 2, maxLength: 6 }),
  })
  .map(({ selected, defaulted, asks }) => {
    const query = documentOf(selected, defaulted)
    return asks.map(([by, given]) => {
      return { caller: by, path: '/graphql', body: `{"query":${JSON.stringify(query)},"variables":${given}}` }
    })
  })

function documentOf(selected: readonly string[], defaulted: boolean): string {
  const fields = selected.map((selection, index) => `f${index}: ${selection}`).join(' ')
  const text = fields.includes('...Part') ? `{ ${fields} } ${FRAGMENT}` : `{ ${fields} }`
  const definitions = Object.entries(DEFINITIONS).flatMap(([name, type]) => {
    if (!new RegExp(`\\$${name}\\b`).test(text)) return []
    const value = defaulted ? DEFAULTS[name as keyof typeof DEFINITIONS] : undefined
    return [`$${name}: ${type}${value === undefined ? '' : ` = ${value}`}`]
  })
  return `query${definitions.length === 0 ? '' : ` (${definitions.join(', ')})`} ${text}`
}

const rest: fc.Arbitrary<readonly Asked[]> = fc
  .tuple(
    fc.array(caller, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('/api/articles', '/api/articles/1', '/api/articles/2', '/api/tags', '/api/secrets'),
    fc.array(
      fc.constantFrom(
        ...['a', 'a=', 'publicationState=', 'publicationState', 'publicationState=live'],
        ...['publicationState=preview', 'publicationState=preview&publicationState=live'],
        ...['locale=', 'locale', 'locale=de', 'locale=all', 'locale=de&locale=en', 'locale[]=de'],
        ...['populate', 'populate=', 'populate=*', 'populate=tags', 'populate[]=tags', 'populate[tags]=true'],
        ...[
          'populate[tags][publicationState]=preview',
          'populate[tags][count]=true',
          'populate=tags&populate=boxes',
        ],
        ...[
          'populate[tags][filters][name]=a',
          'populate[tags][filters][name]=',
          'populate[tags][filters][name][]=a',
        ],
        ...['populate[tags][sort]=name', 'populate[tags][limit]=1', 'populate[boxes][sort]=label'],
        ...['filters[rank]=1', 'filters[rank]=', 'filters[rank][]=1', 'filters[rank][$null]=true'],
        ...[
          'filters[tags][name]=a',
          'filters[tags][id][$null]=true',
          'filters[tags][name][$in][]=a',
          'filters',
        ],
        ...['fields=', 'fields=title', 'fields[]=title', 'fields=title,rank', 'sort=', 'sort=title:desc'],
        ...['pagination[limit]=1', 'pagination[limit]=', 'pagination[pageSize]=1', 'pagination[withCount]=0'],
        ...['pagination[start]=1', 'pagination%5Bstart%5D=2', 'pagination[page]=2', 'pagination[page]=0'],
        ...['pagination[limit]=0', 'pagin%61tion[start]=1', 'sort=rank:desc'],
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom('', '?'),
  )
  .map(([callers, path, parts, mark]) => {
    const query = parts.length === 0 ? mark : `?${parts.join('&')}`
    return callers.map((by) => ({ caller: by, path: path + query }))
  })

const requests = fc
  .array(fc.oneof({ weight: 2, arbitrary: graphql }, { weight: 1, arbitrary: rest }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((parts) => parts.flat())

describe.each([
  ['written from rows', false],
  ['made by the engines', true],
])('answers %s', (_name, tracing) => {
  let warm: Cms
  beforeAll(async () => {
    warm = await createCms(configOf(tracing), { env: {} })
  })
  afterAll(() => warm.close())

  const freshAnswerOf = answersOfFreshServers(configOf(tracing))

  async function expectAnsweredAsFresh(request: Asked): Promise<void> {
    const answers = { request, answer: await answerOf(warm, request) }
    expect(answers).toEqual({ request, answer: await freshAnswerOf(request) })
  }

  test('a variable that is null is not one that is left out', async () => {
    const query = `query ($s: PublicationState) { ${SELECTIONS[0]} }`
    for (const given of [{}, { s: null }, {}, { s: 'LIVE' }]) {
      const body = JSON.stringify({ query, variables: given })
      await expectAnsweredAsFresh({ caller: 'editor', path: '/graphql', body })
    }
  })

  test('any request is answered as by a server that was asked nothing before', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        for (const request of sequence) await expectAnsweredAsFresh(request)
      }),
      { numRuns: 15 },
    )
  })
})
