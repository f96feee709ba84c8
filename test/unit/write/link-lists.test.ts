// Lists of related entries: what any sequence of changes makes of both sides' orders, and what a change of a long list
// costs.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../src/access/hash-password.ts'
import { everyPermission } from '../../../src/access/principal.ts'
import { checkConfig } from '../../../src/app/check-config.ts'
import type { ContentType } from '../../../src/model/content-type.ts'
import { parseParams } from '../../../src/rest/parse-params.ts'
import type { Database } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { applyMigration } from '../../../src/storage/migrate.ts'
import { buildLayout } from '../../../src/storage/sql/build-layout.ts'
import type { Content } from '../../../src/write/content.ts'
import { createContent } from '../../../src/write/create-content.ts'
import { listening } from '../../support/listening-database.ts'

const ARTICLES = 3000
const relation = (kind: string, target: string, side: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})
const CONFIG = {
  contentTypes: {
    article: {
      attributes: {
        tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
        category: relation('manyToOne', 'category', { inversedBy: 'articles' }),
      },
    },
    tag: { attributes: { articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) } },
    category: { attributes: { articles: relation('oneToMany', 'article', { mappedBy: 'category' }) } },
    page: { attributes: { blocks: { type: 'relation', relation: 'morphToMany' } } },
  },
}

let database: Database
let content: Content
let types: ReadonlyMap<string, ContentType>
let texts: string[] = []

beforeAll(async () => {
  const { model } = await checkConfig({ object: CONFIG }, { env: {} })
  if (model === undefined) throw new Error('the configuration of this test is not right')
  const layout = buildLayout(model)
  database = listening(await MemoryDatabase.open(), (text) => texts.push(text))
  await applyMigration(database, layout, { destructive: 'refuse' })
  content = createContent({ model, layout, database, hashPassword, now: Date.now })
  types = model.contentTypes
  await content.seed([
    ...[1, 2, 3].map((id) => ({ type: typeOf('tag'), data: { id } })),
    ...[1, 2, 3].map((id) => ({ type: typeOf('category'), data: { id } })),
    ...[1, 2].map((id) => ({ type: typeOf('page'), data: { id } })),
    ...Array.from({ length: ARTICLES }, (_, index) => ({
      type: typeOf('article'),
      data: { id: index + 1, tags: [3], category: 3 },
    })),
  ])
})
afterAll(() => database.close())

function typeOf(name: string): ContentType {
  const type = types.get(`api::${name}.${name}`)
  if (type === undefined) throw new Error(name)
  return type
}

async function update(name: string, id: number, data: Record<string, unknown>): Promise<readonly string[]> {
  texts = []
  await content.update(typeOf(name), id, data, {
    params: parseParams('', { strict: true }),
    access: everyPermission,
    by: undefined,
  })
  return texts
}

/** What the entry lists, in order. */
async function listed(name: string, id: number, attribute: string): Promise<readonly number[]> {
  const params = parseParams(`populate=${attribute}`, { strict: true })
  const found = await content.prepareFindOne(typeOf(name), params, everyPermission, false).run({ id })
  const member = found.entries[0]?.populated[0]
  if (!Array.isArray(member)) throw new Error(`${name} ${id} lists nothing`)
  return member.map((each) => Number('entry' in each ? each.entry.row[each.entry.at] : each.row[each.at]))
}

const id = fc.integer({ min: 1, max: 6 })
const position = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom({ start: true }, { end: true }),
  fc.record({ before: id }),
  fc.record({ after: id }),
)
const change = fc.oneof(
  fc.record({ set: fc.uniqueArray(id) }),
  fc.record({
    disconnect: fc.uniqueArray(id),
    connect: fc.uniqueArray(fc.record({ id, position }), { selector: (each) => each.id }),
  }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** The list after the change; undefined where a member is to stand beside one that is not there. */
function expected(before: readonly number[], change: Change): readonly number[] | undefined {
  if ('set' in change) return change.set
  const list = before.filter((member) => !change.disconnect.includes(member))
  // Only positions beside members that this change does not name, so that their order among each other is no question.
  for (const { id, position } of change.connect) {
    const at = list.indexOf(id)
    if (at >= 0) list.splice(at, 1)
    if (position === undefined || 'end' in position) list.push(id)
    else if ('start' in position) list.unshift(id)
    else {
      const beside = 'before' in position ? position.before : position.after
      const place = list.indexOf(beside)
      if (place < 0 || change.connect.some((other) => other.id === beside)) return undefined
      list.splice('before' in position ? place : place + 1, 0, id)
    }
  }
  return list
}

describe('after any sequence of changes a list has the order that they say', () => {
  test.each([
    ['manyToMany', 'tag', 'articles'],
    ['oneToMany', 'category', 'articles'],
  ])('%s', async (_kind, name, attribute) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        let list: readonly number[] = []
        await update(name, 1, { [attribute]: [] })
        for (const change of changes) {
          const next = expected(list, change)
          if (next === undefined) continue
          await update(name, 1, { [attribute]: change })
          list = next
          expect(await listed(name, 1, attribute)).toEqual(list)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('an entry that a list takes from another one is last in its own list', async () => {
    await update('article', 1, { tags: [3] })
    await update('tag', 2, { articles: [1] })
    await update('tag', 1, { articles: [2, 1] })
    expect(await listed('article', 1, 'tags')).toEqual([3, 2, 1])
    await update('category', 1, { articles: [1, 2] })
    await update('category', 2, { articles: [2] })
    expect(await listed('category', 1, 'articles')).toEqual([1])
  })

  test('of a polymorphic relation, across content-types', async () => {
    const tag = (id: number) => ({ __type: 'api::tag.tag', id })
    const article = (id: number) => ({ __type: 'api::article.article', id })
    const blocks = async (id: number) => {
      const params = parseParams('populate=blocks', { strict: true })
      const found = await content.prepareFindOne(typeOf('page'), params, everyPermission, false).run({ id })
      return JSON.stringify(
        (
          (found.entries[0]?.populated[0] ?? []) as unknown as readonly {
            entry: { row: unknown[]; at: number }
          }[]
        ).map(({ entry }) => entry.row[entry.at]),
      )
    }
    await update('page', 1, { blocks: { set: [tag(1), article(5), tag(2), article(6)] } })
    expect(await blocks(1)).toBe('[1,5,2,6]')
    await update('page', 1, { blocks: { disconnect: [article(5)], connect: [tag(1), article(7)] } })
    expect(await blocks(1)).toBe('[2,6,1,7]')
    await update('page', 1, { blocks: { set: [article(7), tag(2)] } })
    expect(await blocks(1)).toBe('[7,2]')
  })
})

describe(`a list of ${ARTICLES} is written with as many statements as a short one`, () => {
  test.each([
    ['tag', { disconnect: [1] }],
    ['tag', { connect: [{ id: 1, position: { start: true } }] }],
    ['tag', { connect: [{ id: 2, position: { before: 2000 } }] }],
    ['tag', { set: [5, 4, 3] }],
    ['category', { set: Array.from({ length: 500 }, (_, index) => 600 - index) }],
  ])('%s %j', async (name, articles) => {
    expect((await update(name, 3, { articles })).length).toBeLessThan(12)
  })
})
