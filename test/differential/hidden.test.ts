// What a rule hides leaves no trace: two servers whose content differs only in entries that the caller may not see give
// the same answers, byte for byte, and ask the database the same statements, so that the time tells nothing either.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { recorded } from '../support/record-statements.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { configOf, DOC, hiddenIds, MOMENT, openIds, TOKEN } from './hidden-contents.ts'
import { oneOf, type Random, randomOf, whole } from './rule-worlds.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

const databases: TestDatabase[] = []
const servers: Cms[] = []
beforeAll(async () => {
  // A write has the same moment on both servers.
  vi.useFakeTimers({ now: Date.parse(MOMENT), toFake: ['Date'] })
  for (const hidden of [true, false]) {
    const database = await openTestDatabase()
    databases.push(database)
    servers.push(await createCms(configOf(hidden), { env: {}, ...database.options }))
  }
})
afterAll(async () => {
  vi.useRealTimers()
  for (const cms of servers) await cms.close()
  for (const database of databases) await database.drop()
})

interface Sent {
  readonly path: string
  readonly method: string
  readonly body?: unknown
}

const PAGES =
  'populate[pick]=true&populate[one]=true&populate[about]=true&populate[box][populate]=*&populate[boxes][populate][doc][fields]=title&populate[zone][populate]=*&populate[docs][sort]=rank'

/** Of documents from 31 on there is none on either server; the hidden ones are on one of them. */
const missing = (random: Random): number => oneOf(random, [...hiddenIds, 31, 60])

function requestOf(random: Random): Sent {
  const id = 1 + whole(random, 34)
  const part = (): string =>
    oneOf(random, [
      'populate=*',
      'populate=main',
      'populate[related][filters][rank][$gt]=1&populate[related][sort]=main.rank',
      'populate[pages][populate]=*',
      'populate[localizations][fields]=title',
      'locale=all',
      'locale=fr',
      'publicationState=preview',
      `filters[rank][$gt]=${whole(random, 4)}`,
      `filters[main][rank][$lt]=${whole(random, 5)}`,
      `filters[$not][related][title]=${oneOf(random, ['a', 'b'])}`,
      `filters[localizations][id]=${id}`,
      'filters[main][id][$null]=true',
      `filters[team][docs][id]=${id}`,
      'sort=main.rank:desc',
      'sort=team.name,rank',
      `_q=${oneOf(random, ['a', 'b'])}`,
      `pagination[pageSize]=${1 + whole(random, 5)}&pagination[page]=${1 + whole(random, 3)}`,
      `pagination[start]=${whole(random, 9)}&pagination[limit]=3`,
      'pagination[withCount]=false',
      'fields=title',
    ])
  const get = (path: string): Sent => ({ method: 'GET', path })
  switch (whole(random, 9)) {
    case 0:
      return get(`/api/docs/${id}?${oneOf(random, ['populate=*', 'fields=title', ''])}`)
    case 1:
      return get(
        oneOf(random, [
          '/api/teams?populate[docs][sort]=rank&populate=about&sort=docs.rank',
          '/api/teams?populate[docs][count]=true',
          '/api/teams?populate[docs][publicationState]=preview',
        ]),
      )
    case 2:
      return get(
        oneOf(random, [
          `/api/pages?${PAGES}`,
          `/api/pages/1?${PAGES}`,
          `/api/pages?filters[box][doc][rank][$lte]=${whole(random, 5)}`,
          `/api/pages?filters[boxes][doc][id]=${id}`,
          `/api/pages?filters[$not][pick][rank][$gt]=${whole(random, 5)}`,
          `/api/pages?filters[docs][main][id]=${id}`,
          '/api/pages?sort=pick.rank,id:desc',
          '/api/pages?populate[zone][on][ui.list][populate]=docs',
          `/api/pages?populate[about][on][${DOC}][fields]=title`,
        ]),
      )
    case 3:
      return {
        method: 'POST',
        path: '/graphql',
        body: {
          query: oneOf(random, [
            `{ docs(filters: { main: { rank: { gt: ${whole(random, 4)} } } }) { data { id attributes { related { data { id } } localizations { data { id } } } } meta { pagination { total pageCount } } } doc(id: ${id}) { data { id } } teams { data { attributes { docs { data { id } } } } } }`,
            '{ pages { data { attributes { pick { data { id } } docs(sort: "rank") { data { id } } box { doc { data { id } } } boxes { doc { data { id } } } zone { ... on ComponentUiBox { doc { data { id } } } ... on ComponentUiList { docs { data { id } } } } } } } }',
            `{ docs(locale: "all", publicationState: PREVIEW, pagination: { limit: 2 }) { meta { pagination { total page pageSize pageCount } } data { id } } }`,
            `mutation { updateDoc(id: ${missing(random)}, data: { title: "x" }) { data { id } } }`,
            `mutation { deleteDoc(id: ${missing(random)}) { data { id } } }`,
            `mutation { updatePage(id: 1, data: { pick: ${missing(random)} }) { data { id } } }`,
          ]),
        },
      }
    case 4:
      return oneOf(random, [
        { method: 'PUT', path: `/api/docs/${missing(random)}`, body: { data: { title: 'x' } } },
        { method: 'PUT', path: `/api/docs/${missing(random)}`, body: { data: { publishedAt: null } } },
        { method: 'PUT', path: `/api/docs/${missing(random)}`, body: { data: { publishedAt: MOMENT } } },
        { method: 'DELETE', path: `/api/docs/${missing(random)}` },
        {
          method: 'POST',
          path: `/api/docs/${missing(random)}/localizations`,
          body: { locale: 'fr', title: 'x' },
        },
        { method: 'PUT', path: '/api/teams/1', body: { data: { docs: [id] } } },
        {
          method: 'POST',
          path: '/api/docs',
          body: { data: { rank: 'no number', related: [id, 40] } },
        },
        { method: 'POST', path: '/api/docs', body: { data: { localizations: [missing(random)] } } },
      ])
    case 5: {
      const none = missing(random)
      const there = oneOf(random, openIds)
      const data = oneOf(random, [
        { pick: none },
        { docs: [none, 2] },
        { docs: { connect: [none] } },
        { docs: { connect: [{ id: 2, position: { before: none } }] } },
        { docs: { disconnect: [none] } },
        { one: { __type: DOC, id: none } },
        { about: [{ __type: DOC, id: none }] },
        { about: { connect: [{ __type: DOC, id: none }] } },
        { about: { disconnect: [{ __type: DOC, id: none }] } },
        { box: { label: 'b', doc: none } },
        { boxes: [{ label: 'b', doc: { connect: [none] } }] },
        { zone: [{ __component: 'ui.list', docs: [none] }] },
        { title: 'p', pick: none, unknown: 1 },
        { title: 'q' },
        { pick: there },
        { docs: [there, 1 + (there % 30)].filter((doc) => !hiddenIds.includes(doc)) },
        { docs: { connect: [{ id: there, position: { start: true } }] } },
        { docs: { disconnect: [there] } },
        { about: { connect: [{ __type: DOC, id: there }] } },
        { zone: [{ __component: 'ui.list', docs: [there] }] },
      ])
      return { method: 'PUT', path: `/api/pages/${1 + whole(random, 4)}?${PAGES}`, body: { data } }
    }
    default:
      return get(`/api/docs?${[part(), part()].join('&')}`)
  }
}

/**
 * The answer with its headers. With a tag every answer is kept: which questions come again is remembered by a hash, and one
 * of the servers may have forgotten one.
 */
async function answered(cms: Cms, { path, method, body }: Sent, etag = '"none"') {
  const response = await cms.fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'if-none-match': etag,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const headers = Object.fromEntries(response.headers)
  for (const name of ['date', 'x-request-id']) delete headers[name]
  return { status: response.status, headers, text: await response.text() }
}

test('the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const sent = requestOf(randomOf(seed))
      for (const texts of recorded) texts.length = 0
      const [one, other] = await Promise.all(servers.map((cms) => answered(cms, sent)))
      expect({ sent, ...one }).toEqual({ sent, ...other })
      // A server is asked for several fields of GraphQL at once, in any order.
      const [statements = [], others = []] = recorded.map((texts) => [...texts].sort())
      expect(recorded).toHaveLength(2)
      expect({ sent, statements }).toEqual({ sent, statements: others })
      const etag = one?.headers['etag']
      if (etag === undefined || sent.method !== 'GET') return
      const again = await Promise.all(servers.map((cms) => answered(cms, sent, etag)))
      expect([sent, again[0]]).toEqual([sent, again[1]])
    }),
    { numRuns: process.env['LONG'] === '1' ? 3000 : 300 },
  )
})

test('no file can be attached to what is hidden, and the attempt takes as long as to what is not there', async () => {
  const attempt = async (cms: Cms, ref: string, refId: number) => {
    const form = new FormData()
    form.set('files', new Blob(['a text'], { type: 'text/plain' }), 'a.txt')
    for (const [name, value] of Object.entries({ ref, refId: String(refId), field: 'photo' }))
      form.set(name, value)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const response = await cms.fetch('/api/upload', { method: 'POST', headers, body: form })
    return { status: response.status, text: await response.text() }
  }
  for (const id of hiddenIds.slice(0, 3)) {
    for (const texts of recorded) texts.length = 0
    const [one, other] = await Promise.all(servers.map((cms) => attempt(cms, DOC, id)))
    expect(one?.status).toBe(400)
    expect(one?.text).toContain('refId must be the id of an entry')
    expect(one).toEqual(other)
    expect(recorded[0]?.length).toBeGreaterThan(0)
    expect(recorded[0]).toEqual(recorded[1])
  }
})

test('there is something to hide, and writes to it answer 404', async () => {
  expect(hiddenIds.length).toBeGreaterThan(5)
  for (const id of hiddenIds.slice(0, 5))
    for (const method of ['GET', 'PUT', 'DELETE'])
      for (const cms of servers)
        expect(
          await answered(cms, {
            method,
            path: `/api/docs/${id}`,
            ...(method === 'PUT' && { body: { data: { title: 'x' } } }),
          }),
        ).toMatchObject({ status: 404 })
})
