// An id that no entry can have is that of an absent entry, whatever it is.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  test.each([
    ['product', 'text'],
    ['product', 1.5],
    ['product', Number.NaN],
    ['product', '1e999'],
    ['plugin::users-permissions.user', 'text'],
    ['plugin::users-permissions.user', -1],
  ])('of %s: %j', async (type, id) => {
    const config = { dialect, contentTypes: { product: { attributes: { name: 'string' } } } }
    await using cms = await createCms(config as never, { env: {} })
    const entries = cms.entries(type)
    expect(await entries.findOne(id)).toBeNull()
    await expect(entries.update(id, {})).rejects.toMatchObject({ name: 'NotFoundError' })
    await expect(entries.delete(id)).rejects.toMatchObject({ name: 'NotFoundError' })
  })
})
