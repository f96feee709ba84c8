// The shop that docs/reference/permissions.md shows, asked as its page says.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, askingAs } from '../support/callers.ts'

const folder = mkdtempSync(join(tmpdir(), 'cms-run-rules-'))
let cms: Cms
let send: Ask

beforeAll(async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/permissions.md'), 'utf8')
  const [, example = ''] = /```yaml\n(contentTypes:[\s\S]*?)```/.exec(page) ?? []
  const secret =
    'plugins: { users-permissions: { config: { jwtSecret: "0123456789abcdef0123456789abcdef" } }, graphql: true }\n'
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, secret + example)
  cms = await createCms(file, { env: {} })
  send = await askingAs(cms, { ann: 'sea-and-salt', bob: 'tide-and-sand', kim: 'till-and-shelf' })
  await send('ann', 'POST', '/api/orders', { data: { product: 1, user: 2, status: 'sent' } })
  await send('bob', 'POST', '/api/orders', { data: { product: 1, note: 'of bob' } })
})
afterAll(async () => {
  await cms.close()
  rmSync(folder, { recursive: true })
})

const idsOf = (json: unknown): unknown => (json as { data: { id: unknown }[] }).data.map(({ id }) => id)

test('each sees the orders that are theirs, the clerk all', async () => {
  for (const [who, ids] of [
    ['ann', [1]],
    ['bob', [2]],
    ['kim', [1, 2]],
  ] as const) {
    const { json } = await send(who, 'GET', '/api/orders')
    expect([who, idsOf(json)]).toEqual([who, ids])
    expect(json).toMatchObject({ meta: { pagination: { total: ids.length } } })
  }
  expect((await send('', 'GET', '/api/orders')).status).toBe(403)
})

test('what is set is set', async () => {
  const { json } = await send('kim', 'GET', '/api/orders/1?populate=user')
  expect(json).toMatchObject({ data: { attributes: { status: 'open' } } })
  expect((await send('ann', 'GET', '/api/orders?filters[status]=open')).json).toMatchObject({
    data: [{ id: 1 }],
  })
})

test('the order of another is not there, by any way', async () => {
  const none = await send('ann', 'GET', '/api/orders/99')
  for (const [method, path, body] of [
    ['GET', '/api/orders/2', undefined],
    ['PUT', '/api/orders/2', { data: { note: 'mine' } }],
  ] as const) {
    expect(await send('ann', method, path, body)).toEqual(none)
  }
  expect(idsOf((await send('ann', 'GET', '/api/orders?filters[note]=of bob')).json)).toEqual([])
  const query = '{ orders { data { id } meta { pagination { total } } } order(id: 2) { data { id } } }'
  expect((await send('ann', 'POST', '/graphql', { query })).json).toEqual({
    data: { orders: { data: [{ id: '1' }], meta: { pagination: { total: 1 } } }, order: { data: null } },
  })
})

test('an update keeps to fields, check and where', async () => {
  const put = async (data: unknown) => (await send('ann', 'PUT', '/api/orders/1', { data })).status
  expect(await put({ note: 'soon', count: 2 })).toBe(200)
  expect(await put({ status: 'paid' })).toBe(403)
  expect(await put({ count: 11 })).toBe(403)
  expect((await send('kim', 'GET', '/api/orders/1')).json).toMatchObject({
    data: { attributes: { count: 2 } },
  })
  expect((await send('kim', 'PUT', '/api/orders/1', { data: { status: 'paid' } })).status).toBe(200)
  expect(await put({ note: 'later' })).toBe(404)
})
