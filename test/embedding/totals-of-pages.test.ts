// Totals of lists whose end is on the page are not counted by an embedded database; they are the same as those that are.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { recorded } from '../support/record-statements.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original<typeof import('../../src/storage/open-database.ts')>())
})

const VIEWS = Array.from({ length: 40 }, (_, at) => (at * 7) % 20)

let cms: Cms
beforeAll(async () => {
  cms = await createCms(
    {
      rest: { cache: 0, maxLimit: null },
      contentTypes: { note: { attributes: { title: 'string', views: 'integer' } } },
      auth: { roles: { public: { permissions: ['note.find'] } } },
      data: { note: VIEWS.map((views, at) => ({ title: `note ${at}`, views })) },
    },
    { env: {} },
  )
})
afterAll(() => cms.close())

async function ask(query: string) {
  const before = recorded[0]?.length ?? 0
  const answer = await cms.fetch(`/api/notes?${query}`)
  const { data, meta } = (await answer.json()) as {
    data: unknown[]
    meta: { pagination: Record<string, unknown> }
  }
  const counts = recorded[0]?.slice(before).filter((text) => text.startsWith('select count(*)')) ?? []
  return { data, meta, counted: counts.length }
}

test('the total is that of all matching entries, wherever the page lies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -1, max: 20 }),
      fc.integer({ min: 0, max: 60 }),
      fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 50 })),
      fc.constantFrom('', '&sort=views:desc', '&sort=title'),
      async (more, start, limit, sort) => {
        const total = VIEWS.filter((views) => views > more).length
        const { data, meta, counted } = await ask(
          `filters[views][$gt]=${more}&pagination[start]=${start}&pagination[limit]=${limit}${sort}`,
        )
        const shown = limit < 0 ? total - start : Math.min(limit, total - start)
        expect(data).toHaveLength(Math.max(0, shown))
        expect(meta.pagination['total']).toBe(total)
        const ends = data.length > 0 ? limit < 0 || data.length < limit : start === 0
        if (ends) expect(counted).toBe(0)
      },
    ),
    { numRuns: 300 },
  )
})

test('only pages that do not tell are counted', async () => {
  expect((await ask('filters[title]=note 3&pagination[pageSize]=1')).counted).toBe(1)
  expect((await ask('filters[title]=note 4&pagination[pageSize]=2')).counted).toBe(0)
  expect((await ask('filters[title]=nothing')).counted).toBe(0)
  expect((await ask('filters[title]=nothing at all&pagination[page]=2')).counted).toBe(1)
})

test('behind a cursor all are counted', async () => {
  const first = await ask('filters[views][$gt]=17&pagination[after]=&pagination[pageSize]=3')
  expect(first.meta.pagination['total']).toBe(4)
  const next = String(first.meta.pagination['next'])
  const second = await ask(`filters[views][$gt]=17&pagination[after]=${next}&pagination[pageSize]=3`)
  expect(second.data).toHaveLength(1)
  expect(second.meta.pagination['total']).toBe(4)
})
