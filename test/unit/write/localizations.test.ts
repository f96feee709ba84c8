// Entries of one content in several locales: whatever is done in whatever order, they know each other, there is one
// for each locale, what they share is equal, and nothing of those that are gone stays behind.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import initSqlJs from 'sql.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { openTestDatabase, type TestDatabase, testClient } from '../../support/test-database.ts'

const here = dirname(fileURLToPath(import.meta.url))
const LOCALES = ['en', 'fr', 'de'] as const

let cms: Cms
let database: TestDatabase
let restore: () => Promise<void>
let SQL: Awaited<ReturnType<typeof initSqlJs>>

beforeAll(async () => {
  SQL = await initSqlJs()
  database = await openTestDatabase()
  cms = await createCms(join(here, '../../api/configs/languages.yaml'), { env: {}, ...database.options })
  restore = await database.keep(cms)
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

type Json = Record<string, unknown>
type Dish = Json & { id: number; locale: string; localizations: { id: number }[] }

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  const response = await cms.fetch(path, { ...init, headers: { 'content-type': 'application/json' } })
  return { status: response.status, body: (await response.json()) as Json }
}

const note = fc.record(
  {
    text: fc.constantFrom('a', 'b'),
    size: fc.option(fc.record({ grams: fc.integer({ min: 0, max: 9 }) })),
    by: fc.constantFrom(null, 1, 2),
  },
  { requiredKeys: [] },
)
/** What all locales have in common. */
const shared = fc.record(
  {
    price: fc.integer({ min: 1, max: 99 }),
    chef: fc.constantFrom(null, 1, 2),
    photo: fc.constantFrom(null, 1, 2),
    allergens: fc.subarray([1, 2]),
    notes: fc.array(note, { maxLength: 3 }),
    about: fc.constantFrom(
      null,
      { __type: 'api::chef.chef', id: 1 },
      { __type: 'api::allergen.allergen', id: 2 },
    ),
  },
  { requiredKeys: [] },
)
const own = fc.record({ goesWith: fc.subarray([1, 3]) }, { requiredKeys: [] })
const locale = fc.constantFrom(...LOCALES)
const which = fc.nat({ max: 30 })
const published = fc.constantFrom({}, { publishedAt: null }, { publishedAt: '2024-01-01T00:00:00.000Z' })

const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    locale,
    shared,
    own,
    published,
    joins: fc.option(which),
  }),
  fc.record({ kind: fc.constant('localize' as const), which, locale, shared, own, published }),
  fc.record({ kind: fc.constant('update' as const), which, shared, own, published }),
  fc.record({ kind: fc.constant('delete' as const), which }),
)

async function dishes(): Promise<Dish[]> {
  const one = { fields: ['id'] }
  const populate = {
    ...{ localizations: one, chef: one, photo: one, allergens: one, goesWith: one },
    ...{ about: '*', notes: { populate: '*' } },
  }
  return (await cms.entries('dish').findMany({ populate })) as unknown as Dish[]
}

/** Ids of components differ: each locale has its own rows of them. */
function sharedOf(dish: Dish): unknown {
  const { price, chef, photo, allergens, about, notes } = dish
  const withoutIds = JSON.stringify(notes, (key, value: unknown) => (key === 'id' ? undefined : value))
  return { price, chef, photo, allergens, about, notes: withoutIds }
}

function assertTogether(all: readonly Dish[]): void {
  const byId = new Map(all.map((dish) => [dish.id, dish]))
  for (const dish of all) {
    const siblings = dish.localizations.map(({ id }) => byId.get(id) as Dish)
    const group = [dish, ...siblings]
    const ids = group.map(({ id }) => id).sort()
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(group.map((one) => one.locale)).size).toBe(group.length)
    for (const sibling of siblings) {
      expect([sibling.id, ...sibling.localizations.map(({ id }) => id)].sort()).toEqual(ids)
      expect(sharedOf(sibling)).toEqual(sharedOf(dish))
    }
  }
}

/** Rows that belong to nobody. */
function strays(): readonly unknown[] {
  if (testClient() !== 'memory') return []
  const database = new SQL.Database(Buffer.concat(cms.snapshot().pages))
  const count = (sql: string): unknown => database.exec(sql)[0]?.values
  const found = [
    count(
      "select 'note', id from components_menu_notes where id not in (select component_id from dishes_components where component_type = 'menu.note')",
    ),
    count(
      "select 'size', id from components_menu_sizes where id not in (select component_id from components_menu_notes_components)",
    ),
    count("select 'place', id from dishes_components where entity_id not in (select id from dishes)"),
  ]
  database.close()
  return found.filter((rows) => rows !== undefined)
}

test('in any order of writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await restore()
      let made = 0
      for (const one of steps) {
        const all = await dishes()
        const at = (index: number): Dish | undefined => all[index % Math.max(1, all.length)]
        const present = ({ goesWith = [] }: { goesWith?: number[] }) => ({
          goesWith: goesWith.filter((id) => all.some((dish) => dish.id === id)),
        })
        if (one.kind === 'create') {
          const joined = one.joins === null ? undefined : at(one.joins)
          const data = {
            price: 5,
            name: `new ${++made}`,
            locale: one.locale,
            ...one.shared,
            ...present(one.own),
            ...one.published,
          }
          const { status } = await send('POST', '/api/dishes', {
            data: { ...data, ...(joined && { localizations: [joined.id] }) },
          })
          const used = joined && groupLocales(joined, all).includes(one.locale)
          expect(status).toBe(used === true ? 400 : 200)
        } else {
          const dish = at(one.which)
          if (dish === undefined) continue
          if (one.kind === 'delete') expect((await send('DELETE', `/api/dishes/${dish.id}`)).status).toBe(200)
          else if (one.kind === 'update') {
            const data = { ...one.shared, ...present(one.own), ...one.published }
            expect((await send('PUT', `/api/dishes/${dish.id}`, { data })).status).toBe(200)
          } else {
            const data = {
              name: `new ${++made}`,
              locale: one.locale,
              ...one.shared,
              ...present(one.own),
              ...one.published,
            }
            const { status } = await send('POST', `/api/dishes/${dish.id}/localizations`, data)
            expect(status).toBe(groupLocales(dish, all).includes(one.locale) ? 400 : 200)
          }
        }
        assertTogether(await dishes())
      }
      expect(strays()).toEqual([])
    }),
    { numRuns: testClient() === 'memory' ? 60 : 10 },
  )
})

function groupLocales(dish: Dish, all: readonly Dish[]): readonly string[] {
  const ids = [dish.id, ...dish.localizations.map(({ id }) => id)]
  return all.filter(({ id }) => ids.includes(id)).map((one) => one.locale)
}

test('two first entries of a single type at once are one', async () => {
  for (const path of ['/api/motto', '/api/lobby']) {
    await restore()
    const key = path === '/api/motto' ? 'text' : 'welcome'
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => send('PUT', path, { data: { [key]: `n${n}` } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await cms.entries(path.slice(5)).count()).toBe(1)
  }
})

test('two localizations of one locale at once are one', async () => {
  await restore()
  const answers = await Promise.all(
    [1, 2, 1, 2].map((id, index) =>
      send('POST', `/api/dishes/${id}/localizations`, { locale: 'de', name: `Suppe ${index}` }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  assertTogether(await dishes())
})

test('siblings that are written to at once end up alike', async () => {
  await restore()
  for (let round = 1; round <= 10; round++) {
    const answers = await Promise.all(
      [1, 2, 1, 2].map((id, index) =>
        send('PUT', `/api/dishes/${id}`, {
          data: { price: round * 10 + index, chef: 1 + (index % 2), notes: [{ text: `${round} ${index}` }] },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    assertTogether(await dishes())
  }
})

test('no second entry of a single type is created in another way', async () => {
  await restore()
  await cms.entries('lobby').create({ welcome: 'Hello' })
  await expect(cms.entries('lobby').create({ welcome: 'Bonjour', locale: 'fr' })).rejects.toThrow(
    'singleType.alreadyExists',
  )
})
