// API tokens that are being replaced: the new text and the old one are both believed, until the old one leaves the list.

import { expect, test } from 'vitest'
import { hashApiToken } from '../../src/access/api-tokens.ts'
import { createCms } from '../../src/index.ts'

test.each([
  ['token', (text: string) => text],
  ['tokenHash', hashApiToken],
])('a list of %s', async (key, stored) => {
  const configOf = (texts: readonly string[]) => ({
    contentTypes: { article: { attributes: { title: 'string' } } },
    auth: { apiTokens: [{ name: 'front-end', type: 'read-only', [key]: texts.map(stored) }] },
  })
  const statusesOf = async (texts: readonly string[]): Promise<readonly number[]> => {
    await using cms = await createCms(configOf(texts), { env: {}, testing: true })
    const asked = ['old-token-text', 'new-token-text'].map((token) =>
      cms.fetch('/api/articles', { headers: { authorization: `Bearer ${token}` } }),
    )
    return (await Promise.all(asked)).map(({ status }) => status)
  }
  expect(await statusesOf(['old-token-text'])).toEqual([200, 401])
  expect(await statusesOf(['new-token-text', 'old-token-text'])).toEqual([200, 200])
  expect(await statusesOf(['new-token-text'])).toEqual([401, 200])
})
