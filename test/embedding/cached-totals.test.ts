// Totals of lists are kept until what was counted changes, and are then counted anew.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { oneOf, randomOf, whole } from '../differential/rule-worlds.ts'
import { type Ask, asking } from '../support/callers.ts'
import { recorded } from '../support/record-statements.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target })
const TOKENS = { low: 'low-token-of-the-test', high: 'high-token-of-the-test', all: 'all-token-of-the-test' }

const config = {
  // Kept answers would be given without a look at their totals.
  rest: { cache: 0 },
  plugins: { graphql: true },
  contentTypes: {
    tag: { attributes: { name: 'string' } },
    note: { attributes: { rank: 'integer', tag: relation('manyToOne', 'api::tag.tag') } },
    other: { attributes: { name: 'string' } },
  },
  auth: {
    roles: { public: { permissions: ['note.*', 'tag.*', 'other.*'] } },
    apiTokens: [
      {
        name: 'low',
        type: 'custom',
        token: TOKENS.low,
        permissions: [{ 'note.read': { where: 'rank < 3' } }],
      },
      {
        name: 'high',
        type: 'custom',
        token: TOKENS.high,
        permissions: [{ 'note.read': { where: 'rank < 5' } }],
      },
      { name: 'all', type: 'custom', token: TOKENS.all, permissions: ['note.read', 'tag.read'] },
    ],
  },
  data: {
    tag: [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ],
    note: [1, 2, 3, 4, 5, 6].map((id) => ({ id, rank: id, tag: 1 + (id % 2) })),
  },
}

let afterCreate: (() => Promise<void>) | undefined

describe.each(['memory', 'sqlite'] as const)('%s', (client) => {
  let cms: Cms
  let database: TestDatabase
  let send: Ask
  let texts: string[]

  beforeAll(async () => {
    database = await openTestDatabase(client)
    const lifecycles = { note: { afterCreate: () => afterCreate?.() } }
    cms = await createCms(config, { env: {}, ...database.options, lifecycles })
    send = asking(cms, TOKENS)
    texts = recorded.at(-1) ?? []
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })
  beforeEach(() => {
    texts.length = 0
  })

  const counts = () => texts.filter((text) => text.startsWith('select count(*) from `')).length
  /** Of full pages: one that is not full tells its total without a count. */
  async function total(query = '', who = ''): Promise<number> {
    const page = query.includes('pagination') ? '' : 'pagination[pageSize]=1&'
    const { json } = await send(who, 'GET', `/api/notes?${page}${query}`)
    return (json as { meta: { pagination: { total: number } } }).meta.pagination.total
  }
  /** Asked for until it is kept. */
  async function warm(query = '', who = ''): Promise<void> {
    for (let time = 0; time < 2; time++) await total(query, who)
    texts.length = 0
  }

  test('every page of a list has the total that was counted once', async () => {
    await warm()
    for (const page of [1, 2, 3])
      expect(await total(`pagination[pageSize]=2&pagination[page]=${page}&sort=rank&populate=tag`)).toBe(6)
    const query = '{ notes { meta { pagination { total } } } }'
    const { json } = await send('', 'POST', '/graphql', { query })
    expect(json).toMatchObject({ data: { notes: { meta: { pagination: { total: 6 } } } } })
    expect(counts()).toBe(0)
  })

  test('another condition, or another value in it, is another total', async () => {
    await warm()
    await warm('filters[rank][$lt]=3')
    expect([await total('filters[rank][$lt]=3'), await total('filters[rank][$lt]=4')]).toEqual([2, 3])
    expect([await total('filters[rank][$gt]=3'), await total()]).toEqual([3, 6])
    expect(counts()).toBe(2)
  })

  test('each caller has the total of its rules', async () => {
    for (const who of ['low', 'high', 'all']) await warm('', who)
    expect([await total('', 'low'), await total('', 'high'), await total('', 'all')]).toEqual([2, 4, 6])
    expect(counts()).toBe(0)
  })

  test('a write to what was counted ends it, one to something else does not', async () => {
    await warm()
    await send('', 'POST', '/api/others', { data: { name: 'x' } })
    expect([await total(), counts()]).toEqual([6, 0])
    const { json } = await send('', 'POST', '/api/notes', { data: { rank: 7 } })
    expect([await total(), counts()]).toEqual([7, 1])
    await warm()
    await send('', 'DELETE', `/api/notes/${(json as { data: { id: number } }).data.id}`)
    expect([await total(), counts()]).toEqual([6, 1])
  })

  test('a filter through a relation is counted anew when the other side changes', async () => {
    const query = 'filters[tag][name]=a'
    await warm(query)
    expect([await total(query), counts()]).toEqual([3, 0])
    await send('', 'PUT', '/api/tags/2', { data: { name: 'a' } })
    expect(await total(query)).toBe(6)
    await send('', 'PUT', '/api/tags/2', { data: { name: 'b' } })
    expect(await total(query)).toBe(3)
  })

  test('within a transaction its own writes are counted; undone, they are not', async () => {
    await warm()
    const seen: number[] = []
    afterCreate = async () => {
      seen.push(await cms.entries('note').count({}))
      throw new Error('undone')
    }
    expect((await send('', 'POST', '/api/notes', { data: { rank: 8 } })).status).toBeGreaterThanOrEqual(400)
    afterCreate = undefined
    expect([seen, await total()]).toEqual([[7], 6])
  })

  test('whatever is written, each total is the number of entries', async () => {
    const random = randomOf(11)
    const queries = ['', 'filters[rank][$lt]=4', 'filters[tag][name]=a', 'filters[$not][tag][name]=b', '_q=x']
    const ids: number[] = []
    for (let round = 0; round < 80; round++) {
      const id = oneOf(random, [1, 2, 3])
      const change = whole(random, 6)
      if (change === 0) {
        const { json } = await send('', 'POST', '/api/notes', {
          data: { rank: whole(random, 7), tag: id % 2 },
        })
        const made = (json as { data: { id: number } | null }).data
        if (made !== null) ids.push(made.id)
      } else if (change === 1) await send('', 'PUT', `/api/notes/${id}`, { data: { rank: whole(random, 7) } })
      else if (change === 2)
        await send('', 'PUT', `/api/notes/${id}`, { data: { tag: oneOf(random, [1, 2, null]) } })
      else if (change === 3)
        await send('', 'PUT', '/api/tags/1', { data: { name: oneOf(random, ['a', 'b']) } })
      else if (change === 4 && ids.length > 0) await send('', 'DELETE', `/api/notes/${ids.pop()}`)
      const query = oneOf(random, queries)
      for (const who of ['', 'low', 'all']) {
        const { json } = await send(who, 'GET', `/api/notes?${query}&pagination[limit]=100`)
        const { data, meta } = json as { data: unknown[]; meta: { pagination: { total: number } } }
        if (data !== null)
          expect({ round, query, who, total: meta.pagination.total }).toEqual({
            round,
            query,
            who,
            total: data.length,
          })
      }
    }
  })
})
