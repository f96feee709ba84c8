// What reading costs: one statement for a list, one for its total, one for each populated level, whatever the number
// of entries; SQL made once for each shape; and no column that the caller may not read in any of it.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../src/access/hash-password.ts'
import { createPermissions, everyPermission } from '../../../src/access/principal.ts'
import { checkConfig } from '../../../src/app/check-config.ts'
import type { ContentType } from '../../../src/model/content-type.ts'
import { toObject } from '../../../src/query/rows/to-object.ts'
import { parseParams } from '../../../src/rest/parse-params.ts'
import type { Database } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { applyMigration } from '../../../src/storage/migrate.ts'
import { buildLayout } from '../../../src/storage/sql/build-layout.ts'
import type { Content } from '../../../src/write/content.ts'
import { createContent } from '../../../src/write/create-content.ts'
import { listening } from '../../support/listening-database.ts'

const CONFIG = {
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
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
        memo: { type: 'relation', relation: 'oneToOne', target: 'api::memo.memo' },
        seo: { type: 'component', component: 'shared.seo' },
        body: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      },
    },
    author: {
      attributes: {
        name: 'string',
        pin: 'password',
        articles: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::article.article',
          mappedBy: 'author',
        },
      },
    },
    tag: {
      attributes: {
        name: 'string',
        articles: {
          type: 'relation',
          relation: 'manyToMany',
          target: 'api::article.article',
          mappedBy: 'tags',
        },
      },
    },
    memo: { attributes: { text: 'string' } },
  },
  components: {
    'shared.seo': { attributes: { title: 'string', score: { type: 'integer', private: true } } },
    'shared.quote': { attributes: { words: 'string' } },
  },
}

const caller = createPermissions(
  new Set(['article', 'author', 'tag'].map((name) => `api::${name}.${name}.find`)),
  true,
)
const LIMITS = { defaultLimit: 25, maxLimit: 100, withCount: true }

let database: Database
let content: Content
let article: ContentType
let texts: string[]

beforeAll(async () => {
  texts = []
  const { model } = await checkConfig({ object: CONFIG }, { env: {} })
  if (model === undefined) throw new Error('the configuration of this test is not right')
  const layout = buildLayout(model)
  database = listening(await MemoryDatabase.open(), (text) => texts.push(text))
  await applyMigration(database, layout, { destructive: 'refuse' })
  content = createContent({ model, layout, database, hashPassword, now: Date.now })
  const typeOf = (name: string): ContentType => {
    const type = model.contentTypes.get(`api::${name}.${name}`)
    if (type === undefined) throw new Error(name)
    return type
  }
  article = typeOf('article')
  await content.seed([
    ...[1, 2, 3].map((id) => ({
      type: typeOf('author'),
      data: { id, name: `a${id}`, pin: '$argon2id$v=19$x' },
    })),
    ...[1, 2].map((id) => ({ type: typeOf('tag'), data: { id, name: `t${id}` } })),
    { type: typeOf('memo'), data: { id: 1, text: 'm' } },
    ...Array.from({ length: 40 }, (_, index) => ({
      type: article,
      data: {
        id: index + 1,
        title: `n${index}`,
        secret: 'S',
        author: (index % 3) + 1,
        tags: [1, 2],
        seo: { title: 's', score: 1 },
        body: [
          { __component: 'shared.quote', words: 'w' },
          { __component: 'shared.seo', title: 'z' },
        ],
      },
    })),
  ])
})
afterAll(() => database.close())

async function statementsOf(query: string): Promise<string[]> {
  texts = []
  await content.prepareFind(article, parseParams(query, { strict: true }), caller, LIMITS).run()
  return texts
}

describe('statements of a list', () => {
  test.each([
    ['alone: entries and total', '', 2],
    ['without a total', 'pagination[withCount]=false', 1],
    ['one relation', 'populate=author', 3],
    ['two relations', 'populate=author,tags', 4],
    ['two levels', 'populate=author.articles', 4],
    ['a component', 'populate=seo', 3],
    ['a zone: one for each of its components', 'populate=body', 4],
    ['deep filters are part of the list', 'filters[author][articles][tags][name]=t1', 2],
    ['a relation out of sight costs nothing', 'populate=memo', 2],
  ])('%s', async (_name, query, count) => {
    expect(await statementsOf(query)).toHaveLength(count)
    const one = await statementsOf(
      query === '' ? 'pagination[pageSize]=1' : `${query}&pagination[pageSize]=1`,
    )
    expect(one.length).toBeLessThanOrEqual(count)
  })
})

describe('members of several entries', () => {
  const members = async (query: string): Promise<ReadonlyMap<unknown, unknown>> => {
    const params = parseParams(`${query}&populate=author,tags`, { strict: true })
    const { plan, entries } = await content.prepareFind(article, params, caller, LIMITS).run()
    return new Map(entries.map((entry) => toObject(plan, entry)).map((one) => [one.id, one]))
  }
  const listed = (ids: readonly number[]) => ids.map((id) => `filters[id][$in][]=${id}`).join('&')

  test.each([[[5, 6, 7]], [[5]], [[9, 10, 12]], [[1, 3]], [[40, 41]]])(
    '%j: each as it is alone',
    async (ids) => {
      for (const order of ['', '&sort=id:desc', '&sort=title:desc']) {
        const found = await members(listed(ids) + order)
        expect([...found.keys()].sort((a, b) => Number(a) - Number(b))).toEqual(ids.filter((id) => id <= 40))
        for (const [id, entry] of found) expect(entry).toEqual((await members(listed([Number(id)]))).get(id))
        for (const entry of found.values()) expect(entry).toMatchObject({ author: {}, tags: [{}, {}] })
      }
    },
  )
})

test('a create with relations: what it names exists, its row, its links, its answer', async () => {
  const access = everyPermission
  const params = { populate: new Map([['tags', {}]]) }
  const answer = content.prepareOutput(article, params, access)
  texts = []
  const data = { title: 'new', author: 1, tags: [2, 1] }
  const { entry } = await content.create(article, data, {
    params: {},
    access,
    by: undefined,
    output: () => answer,
  })
  // The links of an entry that was made a moment ago are not looked for; the versions of the entries it names move.
  expect(
    texts.map((text) => {
      const [, update, table] = /^(?:insert into|select .*? from|(update)) `(\w+)`/.exec(text) ?? []
      return update === undefined ? table : `${update} ${table}`
    }),
  ).toEqual([
    'authors',
    'tags',
    'articles',
    'articles_author_links',
    'update authors',
    'articles_tags_links',
    'update tags',
    'articles',
    'articles_tags_links',
  ])
  expect(toObject(answer.plan, entry)).toMatchObject({
    title: 'new',
    tags: [{ name: 't2' }, { name: 't1' }],
  })
  await content.delete(article, Number(toObject(answer.plan, entry).id), {
    params: {},
    access,
    by: undefined,
  })
})

test('values do not change the text: one SQL for each shape', async () => {
  const before = content.compiledPlans
  const shapes = new Set<string>()
  for (let value = 0; value < 50; value++) {
    const list = Array.from({ length: (value % 7) + 1 }, (_, index) => `filters[id][$in][]=${index}`).join(
      '&',
    )
    // Behind the last page a total has to be counted.
    const query = `filters[title][$contains]=${value}&${list}&pagination[page]=2`
    for (const text of await statementsOf(query)) shapes.add(text)
  }
  expect(shapes.size).toBe(2)
  expect(content.compiledPlans - before).toBe(1)
})

/** Columns and tables that this caller may not reach by any question. */
const FORBIDDEN = ['`secret`', '`pin`', '`score`', '`memos`', 'articles_memo_links']

test('no question, right or wrong, brings a column into SQL that its caller may not read', async () => {
  const names = [
    'title',
    'secret',
    'author',
    'tags',
    'memo',
    'seo',
    'body',
    'name',
    'pin',
    'score',
    'articles',
    'id',
    '*',
  ]
  const name = fc.constantFrom(...names)
  const path = fc.array(name, { minLength: 1, maxLength: 4 })
  const bracketed = (parts: readonly string[]): string => parts.map((part) => `[${part}]`).join('')
  const parameter = fc.oneof(
    fc
      .tuple(path, fc.constantFrom('', '[$eq]', '[$startsWith]', '[$null]', '[$not][$in][0]'))
      .map(([parts, operator]) => `filters${bracketed(parts)}${operator}=1`),
    path.map((parts) => `filters[$or][0]${bracketed(parts)}=1`),
    path.map((parts) => `sort=${parts.join('.')}:desc`),
    path.map((parts) => `populate[${parts.join('][populate][')}]=*`),
    fc.tuple(name, path).map(([member, parts]) => `populate[${member}][filters]${bracketed(parts)}=1`),
    fc.tuple(name, path).map(([member, parts]) => `populate[${member}][sort]=${parts.join('.')}`),
    fc.tuple(name, name).map(([member, field]) => `populate[${member}][fields][0]=${field}`),
    name.map((field) => `fields[]=${field}`),
    fc.string({ maxLength: 5 }).map((text) => `_q=${encodeURIComponent(text)}`),
  )
  let answered = 0
  await fc.assert(
    fc.asyncProperty(fc.array(parameter, { maxLength: 4 }), async (parameters) => {
      let asked: string[] = []
      try {
        asked = await statementsOf(parameters.join('&'))
        answered += 1
      } catch (error) {
        expect(error).toMatchObject({ name: 'ValidationError', status: 400 })
      }
      for (const text of asked) for (const word of FORBIDDEN) expect(text).not.toContain(word)
    }),
    { numRuns: 3000 },
  )
  expect(answered).toBeGreaterThan(300)
})
