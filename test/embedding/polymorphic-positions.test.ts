// Where `connect` puts entries in a polymorphic relation: positions, options, and one entry in connect and disconnect.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const config = {
  contentTypes: {
    product: { drafts: true, attributes: { name: 'string' } },
    service: { attributes: { name: 'string' } },
    shop: { attributes: { any: { type: 'relation', relation: 'morphToMany' } } },
  },
  rest: { publicDrafts: false },
  public: ['shop.*', 'product.find', 'service.*'],
}

const P = 'api::product.product'
const S = 'api::service.service'

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  let cms: Cms
  let database: TestDatabase
  /** What entries are named by: products 1 to 3, service s, and a draft. */
  let names: Record<string, unknown>
  let shop: string

  const entry = (name: string) => ({ __type: name === 's' ? S : P, ...keyOf(name) })
  const keyOf = (name: string) => (dialect === 'strapi-5' ? { documentId: names[name] } : { id: names[name] })
  const beside = (name: string) => names[name]
  async function send(method: string, path: string, body?: unknown) {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await cms.fetch(path, init)
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  const write = (any: unknown) => send('PUT', `/api/shops/${shop}`, { data: { any } })
  async function listed(): Promise<string> {
    const on = [P, S].map((uid) => `populate[any][on][${uid}][fields]=name`).join('&')
    const { json } = await send('GET', `/api/shops/${shop}?${on}`)
    const data = json['data'] as { attributes?: { any: { name: string }[] }; any?: { name: string }[] }
    return (data.any ?? data.attributes?.any ?? []).map(({ name }) => name).join(' ')
  }

  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms({ dialect, ...config } as never, { env: {}, ...database.options })
    names = {}
    for (const name of ['1', '2', '3', 's', 'hidden']) {
      const draft = name === 'hidden'
      const status =
        dialect === 'strapi-5' ? { status: draft ? ('draft' as const) : ('published' as const) } : {}
      const data = { name, ...(draft && dialect === 'strapi-4' && { publishedAt: null }) }
      const made = await cms.entries(name === 's' ? 'service' : 'product').create(data, status)
      names[name] = dialect === 'strapi-5' ? made['documentId'] : made.id
    }
    const made = await cms.entries('shop').create({})
    shop = String(dialect === 'strapi-5' ? made['documentId'] : made.id)
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })
  beforeEach(async () => {
    expect((await write([])).status).toBe(200)
    expect((await write(['1', '2'].map(entry))).status).toBe(200)
  })

  test('options are taken', async () => {
    expect((await write({ options: {}, connect: [] })).status).toBe(200)
    expect(await listed()).toBe('1 2')
    expect((await write({ options: { strict: true }, connect: [entry('3')] })).status).toBe(200)
    expect(await listed()).toBe('1 2 3')
  })

  test('start, end, before and after', async () => {
    const put = async (name: string, position: unknown) => {
      expect((await write({ connect: [{ ...entry(name), position }] })).status).toBe(200)
      return listed()
    }
    expect(await put('3', { start: true })).toBe('3 1 2')
    expect(await put('3', { end: true })).toBe('1 2 3')
    expect(await put('3', { before: beside('1'), __type: P })).toBe('3 1 2')
    expect(await put('s', { after: beside('1'), __type: P })).toBe('3 1 s 2')
    // Without a type it is that of the connected entry.
    expect(await put('3', { before: beside('2') })).toBe('1 s 3 2')
    expect(await put('2', { before: beside('s'), __type: S })).toBe('1 2 s 3')
    expect(await put('2', {})).toBe('1 s 3 2')
    expect(await put('1', null)).toBe('s 3 2 1')
  })

  test('several, which may name each other', async () => {
    const connect = [
      { ...entry('s'), position: { after: beside('3'), __type: P } },
      { ...entry('3'), position: { start: true } },
    ]
    expect((await write({ connect })).status).toBe(200)
    expect(await listed()).toBe('3 s 1 2')
  })

  test.each([
    ['a text', 'rubbish', 'Invalid relation position'],
    ['a number', 1, 'Invalid relation position'],
    ['a list', [], 'Invalid relation position'],
    ['another key', { befor: 1 }, 'Invalid relation position: use start, end, before or after, not befor'],
    ['an entry of no type', { before: 1, __type: 'api::no.no' }, 'Invalid relation any'],
    ['a part', { before: {} }, 'Invalid relation position: before needs an id'],
  ])('%s as position is refused', async (_, position, message) => {
    const { status, json } = await write({ connect: [{ ...entry('3'), position }] })
    expect([status, json]).toMatchObject([400, { error: { message: expect.stringContaining(message) } }])
    expect(await listed()).toBe('1 2')
  })

  test('what is not connected, or may not be seen, has no place beside it', async () => {
    const at = async (name: string) =>
      write({ connect: [{ ...entry('3'), position: { before: beside(name), __type: P } }] })
    expect(await at('hidden')).toMatchObject({ status: 400 })
    const before = (await at('hidden')).json
    await cms
      .entries('shop')
      .update(Number(dialect === 'strapi-4' ? shop : 1), { any: { connect: [entry('hidden')] } })
    expect((await at('hidden')).json).toEqual(before)
    expect(await at('3')).toMatchObject({ status: 400 })
    expect(await listed()).toBe('1 2')
  })

  test('an entry in connect and disconnect is connected', async () => {
    for (const name of ['3', '1'])
      expect((await write({ connect: [entry(name)], disconnect: [entry(name)] })).status).toBe(200)
    expect(await listed()).toBe('2 3 1')
    expect((await write({ disconnect: [entry('3')] })).status).toBe(200)
    expect(await listed()).toBe('2 1')
  })
})
