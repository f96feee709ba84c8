// What PostgreSQL is asked otherwise than memory is answered alike: alternatives as a union of ids, and unique values
// behind relations that are found out before.

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { postgresHere } from '../support/postgres.ts'
import { recorded } from '../support/record-statements.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

const relation = (kind: string, target: string) => ({ type: 'relation', relation: kind, target })
const localized = { i18n: { localized: true } }

const config = {
  rest: { publicDrafts: false },
  plugins: { i18n: { config: { locales: ['en', 'fr'] } } },
  contentTypes: {
    team: {
      attributes: {
        name: { type: 'string', unique: true },
        lead: relation('manyToOne', 'api::person.person'),
      },
    },
    person: {
      options: { draftAndPublish: true },
      attributes: { login: { type: 'string', unique: true }, team: relation('manyToOne', 'api::team.team') },
    },
    tag: {
      pluginOptions: localized,
      attributes: { key: { type: 'string', unique: true, pluginOptions: localized } },
    },
    order: {
      index: ['owner'],
      attributes: {
        owner: 'string',
        code: { type: 'string', unique: true },
        open: 'boolean',
        person: relation('manyToOne', 'api::person.person'),
        members: relation('manyToMany', 'api::person.person'),
        tags: relation('manyToMany', 'api::tag.tag'),
      },
    },
  },
  auth: { roles: { public: { permissions: ['order.read', 'person.read', 'team.read', 'tag.read'] } } },
  data: {
    team: [
      { id: 1, name: 'red', lead: 2 },
      { id: 2, name: 'blue', lead: 3 },
    ],
    person: [1, 2, 3, 4, 5].map((id) => ({
      id,
      login: `p${id}`,
      team: 1 + (id % 2),
      publishedAt: id === 5 ? null : '2024-01-01T00:00:00.000Z',
    })),
    tag: [
      { id: 1, key: 'a', locale: 'en' },
      { id: 2, key: 'a', locale: 'fr', localizations: [1] },
      { id: 3, key: 'b', locale: 'en' },
    ],
    order: Array.from({ length: 30 }, (_, index) => ({
      id: index + 1,
      owner: `o${index % 4}`,
      code: `c${index}`,
      open: index % 3 === 0,
      ...(index % 6 > 0 && { person: index % 6 }),
      members: [1 + (index % 5), 1 + ((index * 2) % 5)],
      tags: [1 + (index % 3)],
    })),
  },
}

const sites: Cms[] = []
const databases: TestDatabase[] = []
const here = await postgresHere()

beforeAll(async () => {
  for (const client of ['memory', 'sqlite', ...(here === undefined ? [] : ['postgres' as const])] as const) {
    const database = await openTestDatabase(client)
    databases.push(database)
    sites.push(await createCms(config, { env: {}, ...database.options }))
  }
})
afterAll(async () => {
  for (const cms of sites) await cms.close()
  for (const database of databases) await database.drop()
})

const or = (...parts: readonly string[]): string =>
  parts.map((part, at) => `filters[$or][${at}]${part}`).join('&')

test.each<[query: string, total: number]>([
  ['filters[person][login]=p1', 5],
  ['filters[person][login]=nobody', 0],
  // A draft is not there.
  ['filters[person][login]=p5', 0],
  ['filters[person][login][$ne]=p1', 15],
  ['filters[$not][person][login]=p1', 15],
  ['filters[members][login]=p2', 12],
  ['filters[$not][members][login]=p2', 18],
  ['filters[person][team][name]=red', 10],
  ['filters[person][team][lead][login]=p2', 10],
  ['filters[tags][key]=a', 20],
  ['filters[person][login]=p1&filters[members][login]=p2', 2],
  [or('[person][login]=p1', '[owner]=o1'), 10],
  [or('[person][login]=p1', '[owner]=o1', '[code]=c3'), 11],
  [or('[person][id]=1', '[members][id]=2'), 15],
  [or('[person][id]=1', '[open]=true'), 15],
  [or('[person][login]=nobody', '[owner]=nobody'), 0],
  [`filters[open]=true&${or('[person][id]=3', '[owner]=o1')}`, 5],
  [`filters[$not]${or('[person][id]=3', '[owner]=o1').slice(7).replace('&filters', '&filters[$not]')}`, 12],
  ['filters[person][login]=p1&sort=owner:desc,id&pagination[pageSize]=2&pagination[page]=2', 5],
  [`${or('[person][login]=p1', '[owner]=o1')}&populate=person&sort=code&pagination[limit]=3`, 10],
])('%s', async (query, total) => {
  const answers = await Promise.all(
    sites.map(async (cms) => {
      const response = await cms.fetch(`/api/orders?${query}`)
      return { status: response.status, json: (await response.json()) as { meta: { pagination: object } } }
    }),
  )
  const [one, ...others] = answers
  expect(one).toMatchObject({ status: 200, json: { meta: { pagination: { total } } } })
  for (const other of others) expect(withoutTimes(other)).toEqual(withoutTimes(one))
})

/** Each database was filled at a moment of its own. */
function withoutTimes(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer).replaceAll(/"(createdAt|updatedAt|publishedAt)":"[^"]+"/g, '"$1":""'),
  )
}

test('a program that asks for entries, too', async () => {
  for (const cms of sites) {
    const filters = { $or: [{ person: { login: 'p1' } }, { owner: 'o1' }] }
    expect(await cms.entries('order').findMany({ filters })).toHaveLength(10)
    expect(await cms.entries('order').count({ filters })).toBe(10)
  }
})

test.skipIf(here === undefined)('they are asked otherwise', async () => {
  const postgres = sites.length - 1
  const statementsOf = async (query: string): Promise<string[]> => {
    const texts = recorded[postgres] ?? []
    texts.length = 0
    await sites[postgres]?.fetch(`/api/orders?${query}`)
    return [...texts]
  }
  const [lookup, list, total] = await statementsOf('filters[person][login]=p1&filters[owner]=o1')
  expect(lookup).toMatch(/^select "t1"."id" from "people" as "t1" where "t1"."login" = /)
  expect([list, total].join()).not.toContain('"login"')
  const united = await statementsOf(or('[person][id]=1', '[owner]=o1'))
  expect(united.map((text) => text.split(' union ').length)).toEqual([2, 2])
  const many = await statementsOf(or('[person][id]=1', '[open]=true'))
  expect(many.map((text) => text.split(' union ').length)).toEqual([1, 1])
})
