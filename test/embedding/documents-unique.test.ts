// Values that only one document may have, within components: drafts may hold taken ones, publishing checks them.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestClient } from '../support/test-database.ts'

const databases: TestClient[] = ['memory', 'sqlite', ...(await serversHere())]

const code = { type: 'string', unique: true }
const config = {
  dialect: 'strapi-5',
  plugins: { i18n: { enabled: true, config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
  components: {
    'lab.tag': { attributes: { code, secret: { type: 'string', unique: true, private: true } } },
    'lab.box': { attributes: { code, tags: { type: 'component', component: 'lab.tag', repeatable: true } } },
  },
  contentTypes: {
    lab: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', localized: true },
        box: { type: 'component', component: 'lab.box', localized: true },
        boxes: { type: 'component', component: 'lab.box', repeatable: true, localized: true },
        zone: { type: 'dynamiczone', components: ['lab.tag'], localized: true },
      },
    },
  },
  public: ['lab.*', 'lab.publish', 'lab.discardDraft'],
  data: { lab: [{ id: 1, title: 'One', box: { code: 'a', tags: [{ code: 'x', secret: 's' }] } }] },
}

const message = 'This attribute must be unique'
const fault = (path: string[], value?: string) => ({
  path,
  message,
  name: 'ValidationError',
  ...(value !== undefined && { value }),
})

describe.each(databases)('on %s', (name) => {
  test('a taken value within components is refused when its document is published', async () => {
    const { options, drop } = await openTestDatabase(name)
    const cms = await createCms(config as never, { env: {}, ...options })
    const ask = async (method: string, path: string, data?: unknown) => {
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
      const headers = { 'content-type': 'application/json' }
      const response = await cms.fetch(`/api/labs${path}`, { method, headers, ...body })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }
    const everything = async () => {
      const all = ['published', 'draft'].map((status) => ask('GET', `?populate=*&locale=*&status=${status}`))
      return JSON.stringify((await Promise.all(all)).map(({ body }) => body))
    }
    const errors = (answer: { body: { error?: { details: { errors: unknown } } } }) =>
      answer.body.error?.details.errors

    // A draft may hold them; publishing it is refused, with its way through the components.
    const data = { title: 'Two', box: { code: 'a', tags: [{ code: 'free' }, { code: 'x', secret: 's' }] } }
    const draft = await ask('POST', '?status=draft', data)
    expect(draft.status).toBe(201)
    const { documentId } = draft.body.data
    const before = await everything()
    const refused = await ask('POST', `/${documentId}/actions/publish`)
    expect([refused.status, refused.body.error.message]).toEqual([400, '3 errors occurred'])
    expect(errors(refused)).toEqual([
      fault(['box', 'code'], 'a'),
      fault(['box', 'tags', '1', 'code'], 'x'),
      fault(['box', 'tags', '1', 'secret']),
    ])
    const named = await ask('PUT', `/${documentId}`, { title: 'Not kept' })
    expect([named.status, errors(named)]).toEqual([400, errors(refused)])
    const made = await ask('POST', '', { title: 'Not made', box: { code: 'a' } })
    expect([made.status, errors(made)]).toEqual([400, [fault(['box', 'code'], 'a')]])
    expect(await everything()).toBe(before)

    // One value twice in one draft: neither is the right one. The empty text and null are no values.
    const twice = await ask('POST', '', { boxes: [{ code: 'same' }, { code: '' }, { code: 'same' }] })
    expect(errors(twice)).toEqual([
      fault(['boxes', '0', 'code'], 'same'),
      fault(['boxes', '2', 'code'], 'same'),
    ])
    expect((await ask('POST', '', { boxes: [{ code: '' }, { code: '' }, {}, {}] })).status).toBe(201)

    // Another place and another locale have values of their own.
    expect((await ask('POST', '', { boxes: [{ code: 'a' }] })).status).toBe(201)
    expect((await ask('POST', '?locale=fr', { box: { code: 'a' } })).status).toBe(201)
    expect((await ask('POST', '?locale=fr', { box: { code: 'a' } })).status).toBe(400)
    const zone = [{ __component: 'lab.tag', code: 'z' }]
    expect((await ask('POST', '', { zone })).status).toBe(201)
    expect(errors(await ask('POST', '', { zone }))).toEqual([fault(['zone', '0', 'code'], 'z')])

    // Its own published version does not count, and a value that was given up is free.
    const [first] = (await ask('GET', '?filters[title]=One')).body.data
    expect((await ask('PUT', `/${first.documentId}`, { title: 'One' })).status).toBe(200)
    const freed = { box: { code: 'b', tags: [] } }
    expect((await ask('PUT', `/${first.documentId}`, freed)).status).toBe(200)
    expect((await ask('POST', `/${documentId}/actions/publish`)).status).toBe(200)
    await cms.close()
    await drop()
  })
})

test('two entries of a seed cannot have one value at one place of their components', async () => {
  const data = { lab: [1, 2].map((id) => ({ id, title: `Lab ${id}`, boxes: [{ code: 'a' }] })) }
  const opened = createCms({ ...config, data } as never, { env: {} })
  await expect(opened).rejects.toThrow(/This attribute must be unique[\s\S]*code: a/)
})

const withoutDrafts = {
  dialect: 'strapi-5',
  plugins: { i18n: { enabled: true, config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
  components: { 'shop.part': { attributes: { code } } },
  contentTypes: {
    shop: {
      attributes: {
        name: { type: 'string', unique: true },
        slug: 'uid',
        part: { type: 'component', component: 'shop.part' },
      },
    },
    depot: {
      localized: true,
      attributes: {
        code: { type: 'string', unique: true, localized: true },
        part: { type: 'component', component: 'shop.part', localized: true },
        parts: { type: 'component', component: 'shop.part', repeatable: true, localized: true },
      },
    },
    author: { drafts: true, attributes: { name: { type: 'string', unique: true } } },
    article: { drafts: true, attributes: { author: 'author', shop: 'shop' } },
    note: { author: 'author' },
  },
  public: ['shop.*', 'depot.*', 'author.*', 'article.*', 'note.*'],
  data: {
    author: [{ id: 1, name: 'Ann' }],
    shop: [
      { id: 1, name: 'one', slug: 'one', part: { code: 'a' } },
      { id: 2, name: '', slug: '' },
      { id: 3, name: '', slug: '' },
    ],
    article: [
      { id: 1, author: 1, shop: 2 },
      { id: 2, author: 1, shop: 3 },
    ],
    note: [{ id: 1, author: 1 }],
  },
}

describe.each(databases)('types without drafts on %s', (name) => {
  async function open() {
    const { options, drop } = await openTestDatabase(name)
    const cms = await createCms(withoutDrafts as never, { env: {}, ...options })
    const ask = async (method: string, path: string, data?: unknown) => {
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
      const headers = { 'content-type': 'application/json' }
      const response = await cms.fetch(`/api/${path}`, { method, headers, ...body })
      const { data: found, error } = JSON.parse(await response.text())
      return { status: response.status, data: found, errors: error?.details.errors }
    }
    const close = async () => {
      await cms.close()
      await drop()
    }
    return { ask, close }
  }

  test('the empty text is free, any other one is taken', async () => {
    const { ask, close } = await open()
    expect((await ask('POST', 'shops', { name: '', slug: '' })).status).toBe(201)
    const taken = await ask('POST', 'shops', { name: 'one', slug: 'one' })
    expect([taken.status, taken.errors]).toEqual([400, [fault(['name'], 'one'), fault(['slug'], 'one')]])
    const [shop] = (await ask('GET', 'shops?filters[name]=&sort=id')).data
    expect((await ask('PUT', `shops/${shop.documentId}`, { name: '' })).status).toBe(200)
    expect((await ask('PUT', `shops/${shop.documentId}`, { name: 'one' })).status).toBe(400)
    expect((await ask('POST', 'depots', { code: '' })).status).toBe(201)
    expect((await ask('POST', 'depots', { code: '' })).status).toBe(201)
    expect((await ask('POST', 'depots', { code: 'x' })).status).toBe(201)
    expect((await ask('POST', 'depots?locale=fr', { code: 'x' })).status).toBe(201)
    expect((await ask('POST', 'depots?locale=fr', { code: 'x' })).status).toBe(400)
    const atOnce = [1, 2, 3].map(() => ask('POST', 'depots', { code: 'once' }))
    expect((await Promise.all(atOnce)).map(({ status }) => status).sort()).toEqual([201, 400, 400])
    await close()
  })

  test('within components a value is taken at its place, in its locale', async () => {
    const { ask, close } = await open()
    const refused = await ask('POST', 'shops', { part: { code: 'a' } })
    expect([refused.status, refused.errors]).toEqual([400, [fault(['part', 'code'], 'a')]])
    // Another type, another place, another locale.
    const depot = await ask('POST', 'depots', { part: { code: 'a' } })
    expect(depot.status).toBe(201)
    expect((await ask('POST', 'depots', { parts: [{ code: 'a' }] })).status).toBe(201)
    expect((await ask('POST', 'depots?locale=fr', { part: { code: 'a' } })).status).toBe(201)
    expect((await ask('POST', 'depots', { part: { code: 'a' } })).status).toBe(400)
    expect((await ask('POST', 'depots', { parts: [{ code: '' }, { code: '' }] })).status).toBe(201)
    const twice = await ask('POST', 'depots', { part: { code: 'y' }, parts: [{ code: 'y' }, { code: 'y' }] })
    expect(twice.errors).toEqual([fault(['parts', '0', 'code'], 'y'), fault(['parts', '1', 'code'], 'y')])
    // Its own value is no obstacle, and one that was given up is free.
    const path = `depots/${depot.data.documentId}`
    expect((await ask('PUT', path, { part: { code: 'a' } })).status).toBe(200)
    expect((await ask('PUT', path, { part: { code: 'b' } })).status).toBe(200)
    expect((await ask('POST', 'depots', { part: { code: 'a' } })).status).toBe(201)
    expect((await ask('PUT', path, { part: { code: 'a' } })).status).toBe(400)
    await close()
  })

  test('a filter by a unique value behind a relation finds every version, and every empty one', async () => {
    const { ask, close } = await open()
    const count = async (path: string) => (await ask('GET', path)).data.length
    const byAuthor = 'filters[author][name][$eq]=Ann'
    for (const path of ['articles?', 'articles?status=draft&'])
      expect(await count(`${path}${byAuthor}`), path).toBe(2)
    for (const path of ['notes?', 'notes?status=draft&'])
      expect(await count(`${path}${byAuthor}`), path).toBe(1)
    expect(await count('articles?filters[shop][name][$eq]=')).toBe(2)
    await close()
  })
})
