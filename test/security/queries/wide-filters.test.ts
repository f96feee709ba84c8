// Filters that are wide and deep: whatever tree a client sends, it is answered or refused in words, on every database.

import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { clients, newDatabase } from '../../archive/databases-here.ts'
import { inFile } from '../../archive/in-file.ts'

const content = (dialect: string): string => `dialect: ${dialect}
plugins: { graphql: { enabled: true } }
auth:
  roles:
    public:
      permissions:
        - article.read: { where: author == null || author.name != "hidden" }
        - author.read: { where: size(name) < 100 }
        - tag.read
contentTypes:
  article: { drafts: true, title: string, views: integer, author: author, tags: [tag] }
  author: { name: string, articles: [article] }
  tag: { name: string, articles: [article] }
`

async function open(client: (typeof clients)[number], dialect: string): Promise<Cms> {
  const cms = await createCms(inFile(content(dialect)), { env: {}, database: await newDatabase(client) })
  onTestFinished(() => cms.close())
  const tag = await cms.entries('tag').create({ name: 'x' })
  const tags = [dialect === 'strapi-5' ? tag['documentId'] : tag['id']]
  await cms.entries('article').create({ title: 'x', tags } as never)
  return cms
}

interface Answer {
  readonly status: number
  readonly text: string
}

type Filters = Readonly<Record<string, unknown>>
type Ask = (cms: Cms, filters: Filters) => Promise<Answer>

const rest: Ask = async (cms, filters) => {
  const query = pairs('filters', filters).join('&')
  const answer = await cms.fetch(`/api/articles?${query}`)
  return { status: answer.status, text: await answer.text() }
}

const populated: Ask = async (cms, filters) => {
  const query = pairs('populate[articles][filters]', filters).join('&')
  const answer = await cms.fetch(`/api/tags?${query}`)
  return { status: answer.status, text: await answer.text() }
}

/** The same names without the dollar. */
const graphql: Ask = async (cms, filters) => {
  const query = 'query($f: ArticleFiltersInput) { articles(filters: $f) { __typename } }'
  const f = JSON.parse(JSON.stringify(filters).replaceAll('"$', '"'))
  const answer = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { f } }),
  })
  const text = await answer.text()
  return { status: text.includes('INTERNAL_SERVER_ERROR') ? 500 : answer.status, text }
}

function pairs(path: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}=${value}`]
  return Object.entries(value).flatMap(([key, below]) => pairs(`${path}[${key}]`, below))
}

/** Ten relations on the way from an article to the title of another. */
function chain(value: string): Filters {
  let filters: Filters = { title: { $eq: value } }
  for (let step = 0; step < 10; step++) filters = { [step % 2 === 0 ? 'articles' : 'tags']: filters }
  return filters
}

const wide = (count: number): Filters => ({
  $or: Array.from({ length: count }, (_, index) => chain(`x${index}`)),
})

const TOO_MANY = /Too many (filter conditions|relations).*(at most|allowed)/

test.each(clients)('an or of chains of ten relations over %s', async (client) => {
  for (const dialect of ['strapi-4', 'strapi-5']) {
    const cms = await open(client, dialect)
    expect(await graphql(cms, wide(5))).toMatchObject({ status: 200 })
    for (const count of [40, 100, 500, 1000]) {
      const { text } = await graphql(cms, wide(count))
      expect(text).toMatch(TOO_MANY)
      expect(text).not.toContain('INTERNAL')
    }
    for (const ask of [rest, populated]) {
      const { status, text } = await ask(cms, wide(40))
      expect(status, text).toBe(400)
      expect(text).toMatch(TOO_MANY)
    }
  }
})

/** Subqueries side by side below others: fewer than the limit, but SQLite takes no more than about 230. */
test.each(clients)('an and of relations below others over %s', async (client) => {
  const cms = await open(client, 'strapi-4')
  const one = { tags: { $not: { name: { $in: ['1', '2'] } } } }
  for (const count of [100, 300]) {
    const below = { articles: { $and: Array.from({ length: count }, () => one) } }
    const { status, text } = await graphql(cms, { tags: { $not: below } })
    expect(status, text.slice(0, 300)).toBe(200)
    if (text.includes('"errors"')) expect(text).toMatch(/The filters are too complex|Too many relations/)
  }
})

type Level = 'articles' | 'authors' | 'tags'

const SCALARS = { articles: ['title', 'views'], authors: ['name'], tags: ['name'] } as const
const RELATIONS: Readonly<Record<Level, readonly (readonly [name: string, target: Level])[]>> = {
  articles: [
    ['author', 'authors'],
    ['tags', 'tags'],
  ],
  authors: [['articles', 'articles']],
  tags: [['articles', 'articles']],
}

const filtersOf = fc.letrec<Record<Level, Filters>>((tie) => {
  const at = (level: Level): fc.Arbitrary<Filters> => {
    const scalar = fc
      .tuple(fc.constantFrom(...SCALARS[level]), fc.constantFrom('$eq', '$ne', '$gt', '$in'))
      .map(([name, operator]) => ({ [name]: { [operator]: operator === '$in' ? ['1', '2'] : '1' } }))
    const joined = fc
      .tuple(fc.constantFrom('$and', '$or'), tie(level), fc.constantFrom(1, 2, 5, 40, 300))
      .map(([joiner, below, times]) => ({ [joiner]: Array.from({ length: times }, () => below) }))
    const related = RELATIONS[level].map(([name, target]) => tie(target).map((below) => ({ [name]: below })))
    return fc.oneof(
      { maxDepth: 14, withCrossShrink: true },
      scalar,
      ...related,
      ...related,
      joined,
      tie(level).map((below) => ({ $not: below })),
    )
  }
  return { articles: at('articles'), authors: at('authors'), tags: at('tags') }
})

/** Trees that a request has room for. */
const randomFilters = filtersOf.articles.filter((filters) => countNames(filters) < 10_000)

/** Elements of a list are the same. */
function countNames(value: unknown): number {
  if (Array.isArray(value)) return value.length * countNames(value[0])
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, below) => sum + 1 + countNames(below), 0)
}

test.each(clients)('trees at random over %s are answered or refused', async (client) => {
  const cms = await open(client, 'strapi-4')
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(randomFilters, fc.constantFrom(rest, populated, graphql), async (filters, ask) => {
      const { status, text } = await ask(cms, filters)
      seen.add(status)
      expect([200, 400, 414], text.slice(0, 300)).toContain(status)
    }),
    { numRuns: 100 },
  )
  expect(seen).toContain(200)
  expect(seen).toContain(400)
})
