// PostgreSQL's planner knows how many rows a seed or an import stored, without waiting for autovacuum.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { ask, openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'

const here = await postgresHere()
const ARTICLES = 10_000

describe.skipIf(here === undefined)('a large seed on PostgreSQL', () => {
  let schema: TestSchema
  let cms: Cms

  beforeAll(async () => {
    schema = await openTestSchema(here ?? '')
    const { connection } = schema
    cms = await createCms({
      database: { client: 'postgres', connection, schema: schema.schema },
      contentTypes: {
        category: {
          attributes: {
            name: 'string',
            articles: {
              type: 'relation',
              relation: 'oneToMany',
              target: 'api::article.article',
              mappedBy: 'category',
            },
          },
        },
        article: {
          attributes: {
            title: 'string',
            rating: 'integer',
            category: {
              type: 'relation',
              relation: 'manyToOne',
              target: 'api::category.category',
              inversedBy: 'articles',
            },
          },
        },
      },
      auth: { roles: { public: { permissions: ['article.*', 'category.*'] } } },
      data: {
        category: [{ id: 1, name: 'hub' }],
        article: Array.from({ length: ARTICLES }, (_, index) => ({
          title: `Article ${index}`,
          rating: index % 5,
          category: 1,
        })),
      },
    })
  }, 120_000)

  afterAll(async () => {
    await cms?.close()
    await schema?.drop()
  })

  test('is counted for the planner', async () => {
    const [row] = await ask(
      schema.connection,
      `select reltuples from pg_class where oid = '"${schema.schema}".articles'::regclass`,
    )
    expect(Number(row?.[0])).toBe(ARTICLES)
  })

  // Without statistics, the planner joins all articles of the category with each other.
  test('is filtered through a relation to the entry itself', async () => {
    const query = 'filters[category][articles][rating][$lt]=0&pagination[limit]=1'
    const response = await cms.fetch(`/api/articles?${query}`)
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 200,
      body: { data: [] },
    })
  })
})
