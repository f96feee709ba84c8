// Rules of writes that one look at the entry does not keep: attributes that a payload may name, entries that change
// between the look and the transaction, and the other locales of an entry.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, asking } from '../support/callers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const TOKEN = 'token-of-the-test'
const localized = { i18n: { localized: true } }

const config = {
  plugins: { graphql: true, i18n: { config: { locales: ['en', 'fr'] } } },
  contentTypes: {
    note: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        rank: 'integer',
        open: 'boolean',
        box: { type: 'component', component: 'ui.box' },
      },
    },
    page: {
      pluginOptions: localized,
      attributes: {
        title: { type: 'string', pluginOptions: localized },
        shared: { type: 'string', pluginOptions: { i18n: { localized: false } } },
        open: { type: 'boolean', pluginOptions: localized },
      },
    },
  },
  components: { 'ui.box': { attributes: { label: 'string' } } },
  auth: {
    roles: { public: { permissions: [] } },
    apiTokens: [
      {
        name: 'writer',
        type: 'custom',
        token: TOKEN,
        permissions: [
          'note.read',
          { 'note.create': { fields: ['title', 'rank'], set: { open: true } } },
          { 'note.update': { where: 'open', fields: ['title'] } },
          { 'note.delete': { where: 'open' } },
          'page.read',
          { 'page.update': { where: 'open' } },
        ],
      },
    ],
  },
  data: {
    note: [
      { id: 1, title: 'a', rank: 1, open: true },
      { id: 2, title: 'b', rank: 2, open: true },
      { id: 3, title: 'c', rank: 3, open: true },
    ],
    page: [
      { id: 1, title: 'one', shared: 's', open: true, locale: 'en' },
      { id: 2, title: 'un', shared: 's', open: false, locale: 'fr', localizations: [1] },
      { id: 3, title: 'two', shared: 't', open: true, locale: 'en' },
      { id: 4, title: 'deux', shared: 't', open: true, locale: 'fr', localizations: [3] },
    ],
  },
}

let cms: Cms
let database: TestDatabase
let send: Ask
/** What happens to the entry after the rules have looked at it, and before the transaction of the write. */
let meanwhile: (() => Promise<unknown>) | undefined

beforeAll(async () => {
  database = await openTestDatabase()
  const between = async () => {
    const once = meanwhile
    meanwhile = undefined
    await once?.()
  }
  const lifecycles = { note: { beforeUpdate: between, beforeDelete: between } }
  cms = await createCms(config, { env: {}, ...database.options, lifecycles })
  send = asking(cms, { writer: TOKEN })
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const note = (id: number) => cms.entries('note').findOne(id, { populate: ['box'] })

describe('a payload may name the attributes of `fields`', () => {
  test.each([
    { rank: 9 },
    { title: 'x', rank: 9 },
    { title: 'x', open: false },
    { rank: null },
    { box: { label: 'x' } },
    { publishedAt: null },
  ])('an update of %j is refused, and changes nothing', async (data) => {
    const before = await note(1)
    const { status, json } = await send('writer', 'PUT', '/api/notes/1', { data })
    expect([status, json]).toMatchObject([
      403,
      { error: { message: expect.stringContaining('you may not write') } },
    ])
    expect(await note(1)).toEqual(before)
  })

  test('an update of the others is not', async () => {
    expect((await send('writer', 'PUT', '/api/notes/1', { data: { title: 'x' } })).status).toBe(200)
  })

  test('a new entry is held to them, too; what the server sets may be named, and is not used', async () => {
    const create = (data: object) => send('writer', 'POST', '/api/notes', { data })
    expect((await create({ title: 'n', box: { label: 'x' } })).status).toBe(403)
    expect((await create({ title: 'n', publishedAt: '2024-01-01T00:00:00.000Z' })).status).toBe(403)
    const { status, json } = await create({ title: 'n', rank: 1, open: false })
    expect([status, json]).toMatchObject([200, { data: { attributes: { open: true } } }])
  })

  test('mutations of GraphQL are held to them', async () => {
    const query = 'mutation { updateNote(id: 2, data: { rank: 9 }) { data { id } } }'
    const { json } = await send('writer', 'POST', '/graphql', { query })
    expect(JSON.stringify(json)).toContain('you may not write')
    expect(await note(2)).toMatchObject({ rank: 2 })
  })
})

describe("an entry that is no longer the caller's when the transaction begins", () => {
  test('is not updated', async () => {
    meanwhile = () => cms.entries('note').update(2, { open: false })
    // The hook of that update runs `between` again, with nothing to do.
    expect((await send('writer', 'PUT', '/api/notes/2', { data: { title: 'mine' } })).status).toBe(404)
    expect(await note(2)).toMatchObject({ title: 'b', open: false })
  })

  test('is not deleted', async () => {
    meanwhile = () => cms.entries('note').update(3, { open: false })
    expect((await send('writer', 'DELETE', '/api/notes/3')).status).toBe(404)
    expect(await note(3)).toMatchObject({ title: 'c' })
  })
})

describe('a value that all locales share', () => {
  const put = async (id: number, data: object) =>
    (await send('writer', 'PUT', `/api/pages/${id}`, { data })).status
  const page = (id: number) => cms.entries('page').findOne(id)

  test('changes only where the rule allows each of the entries', async () => {
    expect(await put(1, { shared: 'new' })).toBe(404)
    expect([await page(1), await page(2)]).toMatchObject([{ shared: 's' }, { shared: 's' }])
    expect(await put(3, { shared: 'new' })).toBe(200)
    expect([await page(3), await page(4)]).toMatchObject([{ shared: 'new' }, { shared: 'new' }])
  })

  test('does not stand in the way of the others', async () => {
    expect(await put(1, { title: 'changed' })).toBe(200)
    expect(await put(2, { title: 'changed' })).toBe(404)
  })
})
