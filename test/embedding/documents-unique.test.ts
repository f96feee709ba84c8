// Values that only one document may have, within components: drafts may hold taken ones, publishing checks them.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { postgresHere } from '../support/postgres.ts'
import { openTestDatabase, type TestClient } from '../support/test-database.ts'

const databases: TestClient[] = ['memory', 'sqlite', 'postgres']

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
  const skipped = async () => name === 'postgres' && (await postgresHere()) === undefined

  test('a taken value within components is refused when its document is published', async (context) => {
    if (await skipped()) context.skip()
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
