// The matchers for what an instance was asked and which mails it sent: what they find, and what they say.

import { expect, test } from 'vitest'
import { type Cms, createCms, findMails, findRequests, matchers } from '../../src/index.ts'

const config = {
  plugins: { email: true },
  contentTypes: { article: { attributes: { title: 'string' } } },
  auth: {
    roles: { public: { permissions: ['article.find', 'plugin::users-permissions.auth.*'] } },
    users: [{ username: 'ann', email: 'ann@example.com', password: 'correct horse', confirmed: true }],
    apiTokens: [{ name: 'all', type: 'full-access', token: 'a-token-for-this-test' }],
  },
}

async function used(): Promise<Cms> {
  const cms = await createCms(config, { env: {}, testing: true })
  await cms.fetch('/api/articles?sort=title&fields[0]=title&fields[1]=id')
  await cms.fetch('/api/articles/7')
  await cms.as({ token: 'all' })('/api/articles', {
    method: 'POST',
    body: '{"data":{}}',
    headers: { 'content-type': 'application/json' },
  })
  await cms.fetch('/api/auth/forgot-password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com' }),
  })
  await expect.poll(() => cms.outbox.length).toBe(1)
  return cms
}

test('patterns of requests and mails', async () => {
  await using cms = await used()
  const global = /articles/g
  for (const [pattern, count] of [
    ['GET /api/articles', 1],
    ['get /api/articles', 1],
    ['/api/articles', 2],
    [{}, 4],
    [{ path: global }, 3],
    [{ path: global, method: 'POST' }, 1],
    [{ query: { 'fields[1]': 'id', sort: /^t/ } }, 1],
    [{ query: { sort: 'titl' } }, 0],
    [{ status: 403 }, 1],
    [{ authorized: true }, 1],
    ['DELETE /api/articles', 0],
  ] as const)
    expect([pattern, findRequests(cms, pattern).length]).toEqual([pattern, count])
  expect(findMails(cms, { to: 'ann@example.com', subject: /password/i, text: /code|reset/i })).toHaveLength(1)
  expect(findMails(cms, { to: /^ann$/ })).toHaveLength(0)
  expect(findMails(cms, { from: 'nobody@example.com' })).toHaveLength(0)
})

test('what they say', async () => {
  await using cms = await used()
  const none = matchers.toHaveBeenAsked(cms, { method: 'DELETE', path: /x/ })
  expect(none.pass).toBe(false)
  expect(none.message()).toContain(
    'to have been asked {"method":"DELETE","path":"/x/"} at least once, which happened 0 times; there was:\n  GET /api/articles?sort=title',
  )
  const twice = matchers.toHaveBeenAsked(cms, '/api/articles', { times: 2 })
  expect(twice.pass).toBe(true)
  expect(twice.message()).toContain('not to have been asked /api/articles 2 times')
  expect(matchers.toHaveBeenAsked(cms, '/api/articles', { times: 1 }).pass).toBe(false)
  expect(matchers.toHaveSentMail(cms, { to: 'ann@example.com' }).pass).toBe(true)
  expect(matchers.toHaveSentMail(cms, { to: 'bob@example.com' }).message()).toContain('to ann@example.com: ')
  expect(() => matchers.toHaveSentMail(3 as never, {})).toThrow('expect() takes what createCms gave')
})
