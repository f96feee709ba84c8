// The deepest conditions that are allowed, wherever a condition may stand, on each database: a database reads a statement
// with a stack of its own, which must not overflow.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { hubConfig } from './hub.ts'

const HOPS = 10
const LEVELS = 20

/** Ten relations on the way to a title, with twenty levels of operators behind `at` of them. */
function deepest(first: 'Article' | 'Category', at: number, operator: 'and' | 'or' | 'not'): object {
  const last = HOPS % 2 === 0 ? first : first === 'Article' ? 'Category' : 'Article'
  let filters: object = { [last === 'Article' ? 'title' : 'name']: { containsi: 'x' } }
  const wrap = (): void => {
    for (let level = 0; level < LEVELS; level++) {
      filters = operator === 'not' ? { not: filters } : { [operator]: [{ id: { gt: 1 } }, filters] }
    }
  }
  for (let hop = HOPS; hop > 0; hop--) {
    if (hop === at) wrap()
    filters = (hop % 2 === 0) === (first === 'Article') ? { articles: filters } : { category: filters }
  }
  if (at === 0) wrap()
  return filters
}

/** Over GraphQL, because a query string may nest no more than twenty brackets. */
const QUERIES = [
  ['Article', 'articles(filters: $filters) { data { id } meta { pagination { total } } }'],
  ['Category', 'categories(filters: $filters, sort: "articles.title") { data { id } }'],
  ['Article', 'categories { data { attributes { articles(filters: $filters) { data { id } } } } }'],
  [
    'Article',
    'categories { data { attributes { articles(filters: $filters, sort: "category.name", pagination: { limit: 1 }) { data { id } } } } }',
  ],
] as const

describe.each(['memory', 'sqlite'] as const)('%s', (client) => {
  let cms: Cms
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cms-deepest-'))
    const { data: _, ...config } = hubConfig(1)
    const database = client === 'memory' ? { client } : { client, filename: join(folder, 'cms.db') }
    cms = await createCms({ ...config, database, data: { category: [{ id: 1, name: 'c' }] } })
  })
  afterAll(async () => {
    await cms.close()
    rmSync(folder, { recursive: true })
  })

  const positions = [0, 1, 2, 3, 5, HOPS]
  const operators = ['and', 'or', 'not'] as const
  test.each(operators.flatMap((operator) => positions.map((at) => [operator, at] as const)))(
    '%s behind relation %i',
    async (operator, at) => {
      for (const [type, query] of QUERIES) {
        const answer = await cms.fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            query: `query ($filters: ${type}FiltersInput) { ${query} }`,
            variables: { filters: deepest(type, at, operator) },
          }),
        })
        const text = await answer.text()
        expect(answer.status, text).toBe(200)
        expect(JSON.parse(text).errors, text).toBeUndefined()
      }
    },
  )
})
