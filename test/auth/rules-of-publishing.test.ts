// Rules of the dialect strapi-5 whose `fields` leave out `publishedAt`: they keep drafts writable and what is published
// as it is, whichever way a client publishes.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, asking } from '../support/callers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const localized = { i18n: { localized: true } }
const tokens = {
  writer: 'token-of-who-writes',
  editor: 'token-of-who-publishes',
  translator: 'token-of-who-has-one-locale',
}
const ID = 'knots4zkoqzs0fk4wo9ye4bz'
const actions = ['note.publish', 'note.unpublish', 'note.discardDraft']

const permissions = (fields: readonly string[]) => [
  ...['note.read', 'tag.read', 'home.find', ...actions],
  { 'note.create': { fields } },
  { 'note.update': { fields } },
  { 'home.update': { fields } },
  // A type without drafts has no `publishedAt` to ask for.
  { 'tag.create': { fields: ['title'] } },
]

const config = {
  dialect: 'strapi-5',
  plugins: { graphql: true, i18n: { config: { locales: ['en', 'fr'] } } },
  contentTypes: {
    note: {
      drafts: true,
      pluginOptions: localized,
      attributes: {
        title: { type: 'string', pluginOptions: localized },
        shared: { type: 'string', pluginOptions: { i18n: { localized: false } } },
      },
    },
    tag: { attributes: { title: 'string' } },
    home: { kind: 'singleType', drafts: true, attributes: { title: 'string' } },
  },
  auth: {
    roles: { public: { permissions: [] } },
    apiTokens: [
      { name: 'writer', type: 'custom', token: tokens.writer, permissions: permissions(['title']) },
      {
        name: 'editor',
        type: 'custom',
        token: tokens.editor,
        permissions: permissions(['title', 'publishedAt']),
      },
      {
        name: 'translator',
        type: 'custom',
        token: tokens.translator,
        permissions: ['note.read', ...actions, { 'note.update': { where: "title == 'fr'" } }],
      },
    ],
  },
  data: { note: [{ documentId: ID, title: 'published' }] },
}

let cms: Cms
let database: TestDatabase
let send: Ask

beforeEach(async () => {
  database = await openTestDatabase()
  cms = await createCms(config, { env: {}, ...database.options })
  send = asking(cms, tokens)
})
afterEach(async () => {
  await cms.close()
  await database.drop()
})

const all = () =>
  Promise.all(
    ['note', 'home'].flatMap((name) =>
      (['draft', 'published'] as const).map((status) =>
        cms.entries(name).findMany({ status, locale: '*', fields: ['title', 'publishedAt'] }),
      ),
    ),
  )

const x = { data: { title: 'x' } }
const writes: readonly { readonly request: string; readonly body?: object }[] = [
  { request: 'POST /api/notes', body: x },
  { request: `PUT /api/notes/${ID}`, body: x },
  { request: `PUT /api/notes/${ID}?fields=id`, body: { data: {} } },
  { request: `PUT /api/notes/${ID}?locale=fr`, body: x },
  { request: 'PUT /api/home', body: x },
  { request: `POST /api/notes/${ID}/actions/publish` },
  { request: `POST /api/notes/${ID}/actions/unpublish` },
]

test.each(writes)('$request is refused, and changes nothing', async ({ request, body }) => {
  const [method = '', path = ''] = request.split(' ')
  const before = await all()
  expect(await send('writer', method, path, body)).toMatchObject({
    status: 403,
    json: { error: { message: expect.stringContaining('you may not write "publishedAt"') } },
  })
  expect(await all()).toEqual(before)
  expect((await send('editor', method, path, body)).status).toBeLessThan(300)
})

const mutations = [
  'createNote(data: { title: "x" }) { title }',
  `updateNote(documentId: "${ID}", data: { title: "x" }) { title }`,
  'updateHome(data: { title: "x" }) { title }',
]

test.each(mutations)('the mutation %s is refused, and changes nothing', async (mutation) => {
  const before = await all()
  const query = `mutation { ${mutation} }`
  const refused = await send('writer', 'POST', '/graphql', { query })
  expect(JSON.stringify(refused.json)).toContain('you may not write')
  expect(await all()).toEqual(before)
  expect((await send('editor', 'POST', '/graphql', { query })).json).not.toHaveProperty('errors')
})

test('drafts are written with status=draft, in every locale; what is sent as publishedAt has no effect', async () => {
  const data = { title: 'x', publishedAt: '2024-01-01T00:00:00.000Z' }
  const statuses = [
    await send('writer', 'POST', '/api/notes?status=draft', { data }),
    await send('writer', 'PUT', `/api/notes/${ID}?status=draft`, { data }),
    await send('writer', 'PUT', `/api/notes/${ID}?status=draft&locale=fr`, { data }),
    await send('writer', 'PUT', '/api/home?status=draft', { data }),
    await send('writer', 'POST', '/api/tags', { data: { title: 'x' } }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([201, 200, 200, 200, 201])
  const mutation = `mutation { updateNote(documentId: "${ID}", status: DRAFT, data: { title: "y" }) { title } }`
  expect((await send('writer', 'POST', '/graphql', { query: mutation })).json).toEqual({
    data: { updateNote: { title: 'y' } },
  })
  const published = await cms.entries('note').findMany({ status: 'published' })
  expect(published.map(({ title }) => title)).toEqual(['published'])
  expect((await send('writer', 'POST', `/api/notes/${ID}/actions/discard`)).status).toBe(200)
})

test('who may not write all locales puts back nothing that they share', async () => {
  const notes = cms.entries('note')
  await notes.update(ID, { title: 'fr' }, { locale: 'fr' })
  await notes.update(ID, { shared: 'draft' }, { status: 'draft' })
  const before = await all()
  const discard = `/api/notes/${ID}/actions/discard?locale=fr`
  expect((await send('translator', 'POST', discard)).status).toBe(404)
  expect(await all()).toEqual(before)
  expect((await send('editor', 'POST', discard)).status).toBe(200)
  expect((await notes.findOne(ID, { status: 'draft' }))?.['shared']).toBeNull()
})
