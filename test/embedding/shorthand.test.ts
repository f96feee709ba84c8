// A file of shorthands, asked over HTTP.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test('variants inside products, and orders that name them', async () => {
  const cms = await createCms(join(import.meta.dirname, '../config/good/shorthand-shop.yaml'), { env: {} })
  const ask = async (path: string, data?: unknown) => {
    const response = await cms.fetch(path, {
      ...(data !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      }),
    })
    return { status: response.status, body: await response.json() }
  }
  const jersey = { name: 'Jersey', sku: 'J-1', price: '49.00' }
  const variants = [{ size: 'M', colour: '#203040' }]
  expect(await ask('/api/products', { ...jersey, variants: [{ colour: 'blue' }] })).toMatchObject({
    status: 400,
    body: { error: { details: { errors: [{ path: ['variants', '0', 'colour'] }] } } },
  })
  expect((await ask('/api/products', { ...jersey, variants })).status).toBe(200)
  expect((await ask('/api/products?populate=*')).body).toMatchObject({
    data: [
      {
        attributes: {
          price: 49,
          variants: [{ size: 'M', colour: '#203040', stock: 0 }],
          related: { data: [] },
        },
      },
    ],
  })
  expect((await ask('/api/orders', { lines: [{ count: 1 }] })).body).toMatchObject({
    error: { details: { errors: [{ path: ['user'] }, { path: ['lines', '0', 'product'] }] } },
  })
  await cms.close()
})
