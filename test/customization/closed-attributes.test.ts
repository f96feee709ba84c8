// Attributes that clients may not set (`readOnly`, `writeOnce`): the server's own code may, and `rest.strict: false`
// ignores what clients say.

import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const opened: Cms[] = []

afterEach(async () => {
  for (const cms of opened.splice(0)) await cms.close()
})

async function open(rest: object = {}): Promise<Cms> {
  const cms = await createCms(
    {
      rest,
      contentTypes: {
        order: {
          attributes: {
            note: 'string',
            state: { type: 'string', default: 'open', readOnly: true },
            code: { type: 'string', writeOnce: true },
          },
        },
      },
      auth: { roles: { public: { permissions: ['order.*'] } } },
      data: { order: [{ note: 'first', state: 'paid', code: 'A' }] },
    },
    { env: {} },
  )
  opened.push(cms)
  return cms
}

async function put(cms: Cms, data: object): Promise<{ status: number; attributes: unknown }> {
  const response = await cms.fetch('/api/orders/1?fields[0]=note&fields[1]=state&fields[2]=code', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  })
  const { data: entry } = (await response.json()) as { data: { attributes: unknown } | null }
  return { status: response.status, attributes: entry?.attributes }
}

test("the server's own code sets them at any time", async () => {
  const cms = await open()
  const orders = cms.entries('order')
  expect(await orders.update(1, { state: 'sent', code: 'B' })).toMatchObject({ state: 'sent', code: 'B' })
  expect(await orders.create({ state: 'sent', code: 'C' })).toMatchObject({ state: 'sent', code: 'C' })
  expect((await put(cms, { state: 'open' })).status).toBe(400)
})

test('with rest.strict: false, values that clients may not set are ignored', async () => {
  const cms = await open({ strict: false })
  expect(await put(cms, { note: 'second', state: 'open', code: 'B' })).toEqual({
    status: 200,
    attributes: { note: 'second', state: 'paid', code: 'A' },
  })
})
