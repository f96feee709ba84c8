// Ids of components in payloads: one that the entry does not have is refused, in any form, and nothing is lost.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const config = {
  contentTypes: {
    shop: {
      attributes: {
        one: { type: 'component', component: 'default.box' },
        many: { type: 'component', component: 'default.box', repeatable: true },
        zone: { type: 'dynamiczone', components: ['default.box'] },
        outer: { type: 'component', component: 'default.outer' },
      },
    },
  },
  components: {
    'default.box': { attributes: { name: 'string' } },
    'default.outer': { attributes: { inner: { type: 'component', component: 'default.box' } } },
  },
  plugins: { graphql: true },
  public: ['shop.*'],
}

const zoned = { __component: 'default.box' }
const full = {
  ...{ one: { name: 'a' }, many: [{ name: 'b' }, { name: 'c' }], zone: [{ ...zoned, name: 'd' }] },
  outer: { inner: { name: 'e' } },
}
const populate = ['one', 'many', 'zone', 'outer.inner']
const ids = ['invalid_id', '', '1x', 'NaN', '99999', 99999, 0, -1, 1.5, true, [], {}, [1]]

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  let cms: Cms
  let database: TestDatabase
  let entry: Record<string, unknown>
  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms({ dialect, ...config } as never, { env: {}, ...database.options })
    entry = (await cms.entries('shop').create(full, { populate })) as unknown as Record<string, unknown>
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })
  const now = () => cms.entries('shop').findOne(Number(entry['id']), { populate })
  const send = (path: string, method: string, body: unknown) =>
    cms.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const key = () => (dialect === 'strapi-5' ? String(entry['documentId']) : String(entry['id']))

  test.each(ids.map((id) => ({ id })))('the id $id', async ({ id }) => {
    const outer = (entry['outer'] as { id: number }).id
    const before = await now()
    for (const data of [
      { one: { id, name: 'x' } },
      { many: [{ id, name: 'x' }] },
      { zone: [{ ...zoned, id, name: 'x' }] },
      { outer: { id: outer, inner: { id, name: 'x' } } },
    ]) {
      const response = await send(`/api/shops/${key()}`, 'PUT', { data })
      const text = await response.text()
      expect(response.status, text).toBe(400)
      expect(text).toContain('are not related to the entity')
      expect(await now()).toEqual(before)
    }
  })

  test('in a mutation', async () => {
    const before = await now()
    const name = dialect === 'strapi-5' ? 'documentId' : 'id'
    const shown = dialect === 'strapi-5' ? '{ documentId }' : '{ data { id } }'
    const query = `mutation { updateShop(${name}: "${key()}", data: { one: { id: "invalid_id", name: "x" } }) ${shown} }`
    expect(await (await send('/graphql', 'POST', { query })).text()).toContain(
      'are not related to the entity',
    )
    expect(await now()).toEqual(before)
  })

  test('null and its own id are taken', async () => {
    const { id } = entry['one'] as { id: number }
    expect(
      (await send(`/api/shops/${key()}`, 'PUT', { data: { one: { id: String(id), name: 'x' } } })).status,
    ).toBe(200)
    expect((await now())?.['one']).toEqual({ id, name: 'x' })
    expect(
      (await send(`/api/shops/${key()}`, 'PUT', { data: { one: { id: null, name: 'y' } } })).status,
    ).toBe(200)
    expect((await now())?.['one']).toMatchObject({ id: expect.any(Number), name: 'y' })
  })
})
