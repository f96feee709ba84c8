// What a rule hides leaves no trace: two servers whose content differs only in entries that the caller may not see give
// the same answers, byte for byte.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { oneOf, type Random, randomOf, whole } from './rule-worlds.ts'

const TOKEN = 'token-of-the-test'
const MOMENT = '2024-01-01T00:00:00.000Z'
const TIMES = { createdAt: MOMENT, updatedAt: MOMENT }
const DOC = 'api::doc.doc'
const relation = (kind: string, target: string, side: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...side,
})

/** With `hidden`, there are documents that are not open; everything else is the same. */
function configOf(hidden: boolean) {
  const random = randomOf(7)
  const docs = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    title: oneOf(random, ['a', 'b', 'ab']),
    rank: whole(random, 5),
    open: random() < 0.5,
    team: 1 + whole(random, 3),
    ...TIMES,
  }))
  const there = docs.filter(({ open }) => hidden || open)
  const ids = new Set(there.map(({ id }) => id))
  const links = docs.map(() => ({
    main: 1 + whole(random, 30),
    related: Array.from({ length: 3 }, () => 1 + whole(random, 30)),
  }))
  return {
    plugins: { graphql: true },
    contentTypes: {
      team: {
        attributes: {
          name: 'string',
          docs: relation('oneToMany', DOC, { mappedBy: 'team' }),
          about: { type: 'relation', relation: 'morphToMany' },
        },
      },
      doc: {
        attributes: {
          title: 'string',
          rank: 'integer',
          open: 'boolean',
          team: relation('manyToOne', 'api::team.team', { inversedBy: 'docs' }),
          main: relation('manyToOne', DOC),
          related: relation('manyToMany', DOC),
        },
      },
    },
    auth: {
      roles: { public: { permissions: [] } },
      apiTokens: [
        {
          name: 'reader',
          type: 'custom',
          token: TOKEN,
          permissions: ['team.read', { 'doc.*': { where: 'open' } }],
        },
      ],
    },
    data: {
      team: [1, 2, 3].map((id) => ({
        id,
        name: `t${id}`,
        about: [id, id + 5, id + 9].filter((doc) => ids.has(doc)).map((doc) => ({ __type: DOC, id: doc })),
        ...TIMES,
      })),
      doc: there.map((doc) => {
        const { main, related } = links[doc.id - 1] ?? { main: 1, related: [] }
        return {
          ...doc,
          ...(ids.has(main) && { main }),
          related: [...new Set(related)].filter((id) => ids.has(id)),
        }
      }),
    },
  }
}

const databases: TestDatabase[] = []
const servers: Cms[] = []
beforeAll(async () => {
  for (const hidden of [true, false]) {
    const database = await openTestDatabase()
    databases.push(database)
    servers.push(await createCms(configOf(hidden), { env: {}, ...database.options }))
  }
})
afterAll(async () => {
  for (const cms of servers) await cms.close()
  for (const database of databases) await database.drop()
})

/** A request that changes nothing that is there. */
function requestOf(random: Random): {
  readonly path: string
  readonly method: string
  readonly body?: unknown
} {
  const id = 1 + whole(random, 34)
  const part = (): string =>
    oneOf(random, [
      'populate=*',
      'populate=main',
      'populate[related][filters][rank][$gt]=1&populate[related][sort]=main.rank',
      `filters[rank][$gt]=${whole(random, 4)}`,
      `filters[main][rank][$lt]=${whole(random, 5)}`,
      `filters[$not][related][title]=${oneOf(random, ['a', 'b'])}`,
      'filters[main][id][$null]=true',
      `filters[team][docs][id]=${id}`,
      'sort=main.rank:desc',
      'sort=team.name,rank',
      `_q=${oneOf(random, ['a', 'b'])}`,
      `pagination[pageSize]=${1 + whole(random, 5)}&pagination[page]=${1 + whole(random, 3)}`,
      `pagination[start]=${whole(random, 9)}&pagination[limit]=3`,
      'fields=title',
    ])
  const query = [part(), part()].join('&')
  switch (whole(random, 6)) {
    case 0:
      return { method: 'GET', path: `/api/docs/${id}?${oneOf(random, ['populate=*', 'fields=title', ''])}` }
    case 1:
      return { method: 'GET', path: '/api/teams?populate[docs][sort]=rank&populate=about&sort=docs.rank' }
    case 2:
      return {
        method: 'POST',
        path: '/graphql',
        body: {
          query: `{ docs(filters: { main: { rank: { gt: ${whole(random, 4)} } } }) { data { id attributes { related { data { id } } } } meta { pagination { total } } } doc(id: ${id}) { data { id } } teams { data { attributes { docs { data { id } } } } } }`,
        },
      }
    case 3:
      // Of 31 and following there is none on either server.
      return oneOf(random, [
        { method: 'PUT', path: `/api/docs/${30 + id}`, body: { data: { title: 'x' } } },
        { method: 'PUT', path: '/api/teams/1', body: { data: { docs: [id] } } },
        { method: 'POST', path: '/api/docs', body: { data: { rank: 'no number', related: [id, 40] } } },
      ])
    default:
      return { method: 'GET', path: `/api/docs?${query}` }
  }
}

test('the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { path, method, body } = requestOf(randomOf(seed))
      const answers = await Promise.all(
        servers.map(async (cms) => {
          const response = await cms.fetch(path, {
            method,
            headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          return { status: response.status, text: await response.text() }
        }),
      )
      expect({ path, body, ...answers[0] }).toEqual({ path, body, ...answers[1] })
    }),
    { numRuns: process.env['LONG'] === '1' ? 3000 : 200 },
  )
})

test('writes to what is not there answer as if it were not', async () => {
  const hidden = configOf(true).data.doc.filter(({ open }) => !open)
  for (const { id } of hidden.slice(0, 5)) {
    for (const [method, body] of [
      ['PUT', { data: { title: 'x' } }],
      ['DELETE', undefined],
    ] as const) {
      const texts = await Promise.all(
        servers.map(async (cms) => {
          const response = await cms.fetch(`/api/docs/${id}`, {
            method,
            headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          })
          return `${response.status} ${await response.text()}`
        }),
      )
      expect(texts[0]).toBe(texts[1])
      expect(texts[0]).toMatch(/^404 /)
    }
  }
})
