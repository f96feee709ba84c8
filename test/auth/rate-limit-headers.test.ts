// What limited routes say of their limit, in every answer: as recorded of Strapi.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Asking, accountsConfig, openAccounts, SECRET } from './open-accounts.ts'

let ask: Asking
beforeEach(async () => {
  const settings = { jwtSecret: SECRET, ratelimit: { enabled: true, interval: '60s', max: 3 } }
  const plugins = { ...accountsConfig.plugins, 'users-permissions': { config: settings } }
  ask = await openAccounts({ plugins })
})
afterEach(() => ask.cms.close())

const PREFIX = 'x-ratelimit-'

async function send(method: string, path: string, body?: object): Promise<readonly unknown[]> {
  const response = await ask.cms.fetch(path, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const headers = [...response.headers].filter(([name]) => name.startsWith(PREFIX))
  const limit = new Map(headers.map(([name, value]) => [name.slice(PREFIX.length), value]))
  if (limit.size === 0) return [response.status]
  const wait = Number(limit.get('reset')) - Date.now() / 1000
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(61)
  return [response.status, limit.get('limit'), limit.get('remaining')]
}

test.each<readonly [string, string, object | undefined, number]>([
  ['POST', '/api/auth/local', { identifier: 'alice', password: 'wrong' }, 400],
  ['POST', '/api/auth/local', {}, 400],
  ['POST', '/api/auth/local/register', { username: 'x' }, 400],
  ['POST', '/api/auth/forgot-password', { email: 'x@example.com' }, 200],
  ['POST', '/api/auth/reset-password', { code: 'x' }, 400],
  ['POST', '/api/auth/change-password', {}, 400],
  // Nothing has to be confirmed here, which is said to everyone alike.
  ['POST', '/api/auth/send-email-confirmation', { email: 'stranger@example.com' }, 400],
  ['GET', '/api/auth/email-confirmation?confirmation=x', undefined, 400],
  ['GET', '/api/connect/github', undefined, 400],
])('%s %s %j', async (method, path, body, status) => {
  const answers = []
  for (let count = 0; count < 4; count++) answers.push(await send(method, path, body))
  expect(answers).toEqual([
    [status, '3', '2'],
    [status, '3', '1'],
    [status, '3', '0'],
    [429, '3', '0'],
  ])
})

test('a login that succeeds is not counted', async () => {
  const right = { identifier: 'alice', password: 'Passw0rd!alice' }
  const wrong = { identifier: 'alice', password: 'wrong' }
  const answers = []
  for (const body of [right, wrong, right, right, wrong, right, wrong, right])
    answers.push(await send('POST', '/api/auth/local', body))
  expect(answers).toEqual([
    [200, '3', '3'],
    [400, '3', '2'],
    [200, '3', '2'],
    [200, '3', '2'],
    [400, '3', '1'],
    [200, '3', '1'],
    [400, '3', '0'],
    [429, '3', '0'],
  ])
})

test('many wrong passwords at once are bounded', async () => {
  const wrong = { identifier: 'alice', password: 'wrong' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/api/auth/local', wrong)))
  expect(answers.filter(([status]) => status === 400)).toHaveLength(3)
})

test.each<readonly [string, object, number]>([
  ['in development, from this machine', {}, 400],
  ['in development, if the file says so', { ratelimit: { max: 3 } }, 429],
  ['in development, if the file only says that it is', { ratelimit: { enabled: true } }, 429],
])('a file without a limit: %s', async (_, settings, last) => {
  const plugins = {
    ...accountsConfig.plugins,
    'users-permissions': { config: { jwtSecret: SECRET, ...settings } },
  }
  const own = await openAccounts({ plugins })
  const wrong = { identifier: 'alice', password: 'wrong' }
  const statuses = []
  for (let count = 0; count < 8; count++) {
    const response = await own.cms.fetch('/api/auth/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wrong),
    })
    statuses.push(response.status)
  }
  expect(statuses.at(-1)).toBe(last)
  await own.cms.close()
})

test('a file without a limit: in production each try counts', async () => {
  const plugins = { ...accountsConfig.plugins, 'users-permissions': { config: { jwtSecret: SECRET } } }
  const own = await openAccounts({ plugins, server: { environment: 'production' } })
  const wrong = { identifier: 'alice', password: 'wrong' }
  const statuses = []
  for (let count = 0; count < 6; count++) {
    const { status } = await own.cms.fetch('/api/auth/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wrong),
    })
    statuses.push(status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  await own.cms.close()
})

test('routes without a limit say nothing of one', async () => {
  expect(await send('GET', '/api/users/me')).toEqual([403])
  expect(await send('GET', '/api/nope')).toEqual([404])
})
