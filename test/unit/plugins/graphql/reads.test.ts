// What a GraphQL operation costs and asks: one prepared read for a root field, with one statement for each populated
// level, whatever the number of entries; aliases, fragments and directives select what they say.

import { type ExecutionResult, execute, type GraphQLSchema, parse, print, validate } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../../src/access/hash-password.ts'
import { createPermissions, type Principal } from '../../../../src/access/principal.ts'
import { checkConfig } from '../../../../src/app/check-config.ts'
import { createOperationTable } from '../../../../src/operations/operation-table.ts'
import { getCompletion } from '../../../../src/plugins/graphql/engine.ts'
import { createOperations } from '../../../../src/plugins/graphql/execution/create-operations.ts'
import { loadCompiler } from '../../../../src/plugins/graphql/execution/load-compiler.ts'
import type { Operations } from '../../../../src/plugins/graphql/execution/operations.ts'
import {
  isGenerated,
  isPlain,
  isProperty,
  isSafeUnion,
} from '../../../../src/plugins/graphql/fields/field-facts.ts'
import { createEntryResolvers } from '../../../../src/plugins/graphql/resolvers/create-entry-resolvers.ts'
import { buildSchema } from '../../../../src/plugins/graphql/schema/build-schema.ts'
import { createShadowCrud } from '../../../../src/plugins/shadow-crud-handles.ts'
import { type Database, run as runStatement } from '../../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../../src/storage/drivers/memory/memory-database.ts'
import { applyMigration } from '../../../../src/storage/migrate.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { statement } from '../../../../src/storage/sql/statement.ts'
import { createContent } from '../../../../src/write/create-content.ts'
import { listening } from '../../../support/listening-database.ts'

const CONFIG = {
  plugins: { graphql: true },
  contentTypes: {
    article: {
      attributes: {
        title: 'string',
        secret: { type: 'string', private: true },
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          inversedBy: 'articles',
        },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        memo: { type: 'relation', relation: 'oneToOne', target: 'api::memo.memo' },
        seo: { type: 'component', component: 'shared.seo' },
        body: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      },
    },
    author: {
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
    tag: { attributes: { name: 'string' } },
    memo: { attributes: { text: 'string' } },
  },
  components: {
    'shared.seo': { attributes: { title: 'string' } },
    'shared.quote': { attributes: { words: 'string' } },
  },
}

let database: Database
let schema: GraphQLSchema
let operations: Operations
const texts: string[] = []
const faults: unknown[] = []
const principal = {
  kind: 'public',
  name: 'public',
  source: '',
  permissions: createPermissions(
    new Set(
      ['article', 'author', 'tag'].flatMap((name) =>
        ['find', 'findOne'].map((action) => `api::${name}.${name}.${action}`),
      ),
    ),
    true,
  ),
} satisfies Principal

async function run(query: string, variables?: Record<string, unknown>): Promise<ExecutionResult> {
  const document = parse(query)
  expect(validate(schema, document)).toEqual([])
  return runAgain(document, variables)
}

async function runAgain(
  document: ReturnType<typeof parse>,
  variables: Record<string, unknown> = {},
): Promise<ExecutionResult> {
  const compiled = await runCompiled(print(document), variables)
  const read = texts.length
  texts.length = 0
  const result = await execute({
    schema,
    document,
    contextValue: { principal },
    variableValues: variables,
  })
  expect(compiled.data).toEqual(JSON.parse(JSON.stringify(result.data)))
  expect(read).toBe(texts.length)
  return JSON.parse(JSON.stringify(result))
}

/** The same by graphql-jit, which compiles at the second time. */
async function runCompiled(query: string, variables: Record<string, unknown> = {}): Promise<ExecutionResult> {
  await operations.run({ query, variables }, { principal }, { readOnly: true })
  texts.length = 0
  const answer = await operations.run({ query, variables }, { principal }, { readOnly: true })
  return JSON.parse(answer.body) as ExecutionResult
}

beforeAll(async () => {
  const { model } = await checkConfig({ object: CONFIG }, { env: {} })
  if (model === undefined) throw new Error('the configuration of this test is not right')
  const layout = buildLayout(model)
  database = listening(await MemoryDatabase.open(), (text) => texts.push(text))
  await applyMigration(database, layout, { destructive: 'refuse' })
  const content = createContent({ model, layout, database, hashPassword, now: Date.now })
  const typeOf = (name: string) => {
    const type = model.contentTypes.get(`api::${name}.${name}`)
    if (type === undefined) throw new Error(name)
    return type
  }
  await content.seed([
    ...[1, 2, 3].map((id) => ({ type: typeOf('author'), data: { id, name: `a${id}` } })),
    ...[1, 2, 3].map((id) => ({ type: typeOf('tag'), data: { id, name: `t${id}` } })),
    { type: typeOf('memo'), data: { id: 1, text: 'm' } },
    ...Array.from({ length: 40 }, (_, index) => ({
      type: typeOf('article'),
      data: {
        id: index + 1,
        title: `n${index + 1}`,
        secret: 'S',
        author: (index % 3) + 1,
        tags: [1, 2, 3],
        memo: index === 0 ? 1 : null,
        seo: { title: `s${index + 1}` },
        body: [
          { __component: 'shared.quote', words: `w${index + 1}` },
          { __component: 'shared.seo', title: `z${index + 1}` },
        ],
      },
    })),
  ])
  const limits = { defaultLimit: 10, maxLimit: 100 }
  const resolvers = createEntryResolvers({ model, content, limits })
  const { settings } = createShadowCrud()
  schema = await buildSchema({
    model,
    operations: createOperationTable(model, { content, writeRows: 10_000, granted: new Set() }),
    resolvers,
    v4Compatible: false,
    shadowCrud: settings,
    generates: true,
    offers: [],
  })
  operations = createOperations({
    inTransaction: (task) => task(),
    schema,
    introspection: false,
    suggestions: false,
    exposesFaults: false,
    explains: false,
    kinds: { isPlain, isProperty, getCompletion },
    isGenerated,
    isSafeAbstract: isSafeUnion,
    onFault: (fault) => faults.push(fault),
  })
  for (const _ of [1, 2]) await operations.run({ query: '{ __typename }' }, { principal }, { readOnly: true })
  await loadCompiler()
  await new Promise((resolve) => setImmediate(resolve))
})

afterAll(() => database.close())
beforeEach(() => {
  texts.length = 0
})

describe('statements', () => {
  const nested = (limit: number): string => `{
    articles(pagination: { limit: ${limit} }) {
      data { id attributes { title author { data { attributes { name articles(pagination: { limit: 2 }) { data { id } } } } } tags { data { attributes { name } } } } }
      meta { pagination { total } }
    }
  }`

  test.each([
    ['one row each of the list', '{ articles { data { id } } }', 1],
    ['the total is one more', '{ articles { data { id } meta { pagination { total } } } }', 2],
    ['only the total', '{ articles { meta { pagination { total } } } }', 2],
    ['an entry', '{ article(id: 1) { data { attributes { title } } } }', 1],
    ['one for each populated level', nested(5), 5],
    ['two root fields', '{ a: article(id: 1) { data { id } } b: article(id: 2) { data { id } } }', 2],
  ])('%s', async (_name, query, count) => {
    const { errors } = await run(query)
    expect(errors).toBeUndefined()
    expect(texts).toHaveLength(count)
  })

  test('do not grow with the number of entries', async () => {
    await run(nested(2))
    const few = [...texts]
    await run(nested(40))
    expect(texts).toEqual(few)
  })

  test('read the columns that are selected, and no private one', async () => {
    await run('{ articles { data { attributes { title } } } }')
    expect(texts.join()).toContain('title')
    expect(texts.join()).not.toContain('created_at')
    expect(texts.join()).not.toContain('secret')
  })
})

describe('selections', () => {
  test('the same relation twice, with other arguments and under other names', async () => {
    const { data } = await run(`{ article(id: 1) { data { attributes {
      first: tags(pagination: { limit: 1 }) { data { id } }
      last: tags(sort: "name:desc", pagination: { limit: 1 }) { data { attributes { name } } }
      tags(filters: { name: { eq: "t2" } }) { data { id attributes { label: name } } }
    } } } }`)
    expect(data).toEqual({
      article: {
        data: {
          attributes: {
            first: { data: [{ id: '1' }] },
            last: { data: [{ attributes: { name: 't3' } }] },
            tags: { data: [{ id: '2', attributes: { label: 't2' } }] },
          },
        },
      },
    })
  })

  test('fragments and fields that stand twice are one selection', async () => {
    const { data } = await run(`
      query { article(id: 2) { ...Named data { attributes { author { data { id } } } } } article(id: 2) { data { id } } }
      fragment Named on ArticleEntityResponse { data { ... on ArticleEntity { attributes { author { data { attributes { name } } } } } } }`)
    expect(data).toEqual({
      article: {
        data: { attributes: { author: { data: { attributes: { name: 'a2' }, id: '2' } } }, id: '2' },
      },
    })
  })

  test('a zone by the type of what stands in it', async () => {
    const { data } = await run(`{ article(id: 3) { data { attributes {
      seo { heading: title }
      body { __typename ... on ComponentSharedQuote { words } ... on ComponentSharedSeo { id title } }
    } } } }`)
    expect(data).toMatchObject({
      article: {
        data: {
          attributes: {
            seo: { heading: 's3' },
            body: [
              { __typename: 'ComponentSharedQuote', words: 'w3' },
              { __typename: 'ComponentSharedSeo', title: 'z3' },
            ],
          },
        },
      },
    })
  })

  test('variables decide about directives and arguments, request by request', async () => {
    const document =
      parse(`query ($with: Boolean!, $most: Int) { articles(pagination: { limit: 1 }) { data { attributes {
      title @skip(if: $with)
      tags(pagination: { limit: $most }) @include(if: $with) { data { id } }
    } } } }`)
    const attributesOf = async (variables: Record<string, unknown>): Promise<unknown> => {
      const { data } = await runAgain(document, variables)
      return (data as { articles: { data: { attributes: unknown }[] } }).articles.data[0]?.attributes
    }
    expect(await attributesOf({ with: false })).toEqual({ title: 'n1' })
    expect(await attributesOf({ with: true, most: 2 })).toEqual({
      tags: { data: [{ id: '1' }, { id: '2' }] },
    })
    expect(await attributesOf({ with: true, most: 1 })).toEqual({ tags: { data: [{ id: '1' }] } })
    expect(await attributesOf({ with: false })).toEqual({ title: 'n1' })
  })

  test('what may not be found is refused where it stands, and never read', async () => {
    const { data, errors } = await run(
      '{ article(id: 1) { data { id attributes { title memo { data { id } } } } } }',
    )
    expect(data).toEqual({ article: { data: { id: '1', attributes: { title: 'n1', memo: null } } } })
    expect(errors?.map(({ message, path }) => [message, path?.join('.')])).toEqual([
      ['Forbidden access', 'article.data.attributes.memo'],
    ])
    expect(texts).toHaveLength(1)
  })
})

test('a read that fails is reported, not asked again, and leaves the others alone', async () => {
  await database.transaction(() => runStatement(statement('drop table authors', false), []))
  const { data, errors } = await runCompiled(
    '{ a: author(id: 1) { data { id } } article(id: 1) { data { id } } b: author(id: 1) { data { id } } }',
  )
  expect(data).toEqual({ a: null, article: { data: { id: '1' } }, b: null })
  expect(errors?.map(({ message }) => message)).toEqual(['Internal Server Error', 'Internal Server Error'])
  expect(texts).toHaveLength(3)
  expect(String(faults)).toContain('no such table')
})
