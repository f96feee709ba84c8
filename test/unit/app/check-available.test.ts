import { describe, expect, test } from 'vitest'
import { createCms } from '../../../src/index.ts'

const withRoute = (find: unknown): Record<string, unknown> => ({
  contentTypes: { note: { attributes: { text: 'string' }, rest: { config: { find } } } },
  policies: { owner: './owner.js' },
  auth: { roles: { public: { permissions: ['note.find'] } } },
})

describe('what would look guarded and is not', () => {
  test.each([
    ['policies', { policies: ['owner'] }],
    ['auth', { auth: { scope: ['note.find'] } }],
    ['auth: false', { auth: false }],
  ])('%s stops the start', async (_name, find) => {
    await expect(createCms(withRoute(find), { env: {} })).rejects.toThrow('VER001')
  })

  test('nothing asked, nothing said', async () => {
    const cms = await createCms(withRoute({ policies: [] }), { env: {} })
    expect((await cms.fetch('/api/notes')).status).toBe(200)
    await cms.close()
  })
})
