// What `_q` looks at, and which documents it finds by their id.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { openTestDatabase } from '../support/test-database.ts'

const attributes = {
  name: { type: 'string', index: 'text' },
  hidden: { type: 'string', searchable: false },
  indexed: { type: 'string', searchable: false, index: 'text' },
  pages: { type: 'integer', searchable: false },
}

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  test('leaves out what is not searchable, which filters still find', async () => {
    const database = await openTestDatabase()
    const config = {
      dialect,
      contentTypes: { product: { attributes } },
      auth: { roles: { public: { permissions: ['product.find'] } } },
      data: { product: [{ id: 1, name: 'green word', hidden: 'word', indexed: 'secretword', pages: 4711 }] },
    }
    await using cms = await createCms(config as never, { env: {}, ...database.options })
    const found = async (query: string): Promise<number> => {
      const { data } = (await (await cms.fetch(`/api/products?${query}`)).json()) as { data: unknown[] }
      return data.length
    }
    expect(await found('_q=green')).toBe(1)
    expect(await found('_q=secretword')).toBe(0)
    expect(await found('_q=4711')).toBe(0)
    expect(await found('filters[indexed][$contains]=secret&filters[pages]=4711')).toBe(1)
    await cms.close()
    await database.drop()
  })
})

test('a documentId finds its document, however long it is', async () => {
  const config = {
    dialect: 'strapi-5',
    contentTypes: { product: { attributes: { name: 'string' } } },
    auth: { roles: { public: { permissions: ['product.find'] } } },
    data: {
      product: [
        { id: 1, documentId: 'fixture-3', name: 'a' },
        { id: 2, documentId: 'fixture-31', name: 'b' },
      ],
    },
  }
  await using cms = await createCms(config as never, { env: {} })
  const { data } = (await (await cms.fetch('/api/products?_q=fixture-3')).json()) as { data: object[] }
  expect(data).toMatchObject([{ name: 'a' }])
})
