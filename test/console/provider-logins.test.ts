// Logins to the console by an OpenID provider: who gets in, and what attackers cannot.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import {
  CLIENT,
  type IdentityProvider,
  logInAt,
  startIdentityProvider,
} from '../support/identity-provider.ts'

const PASSWORD = 'long-enough-1'

const people = {
  ann: { email: 'Ann@example.com', email_verified: true },
  false: { email: 'ann@example.com', email_verified: false },
  silent: {},
  nobody: { email: 'nobody@example.com', email_verified: true },
  mel: { email: 'mel@example.com', email_verified: true },
  out: { email: 'out@example.com', email_verified: true },
}

let cms: Cms
let provider: IdentityProvider
let origin: string
let asked = 0
const broken = createServer((_, response) => {
  asked += 1
  response.writeHead(500).end()
})

beforeAll(async () => {
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const { port } = broken.address() as AddressInfo
  provider = await startIdentityProvider()
  cms = await createCms(
    {
      console: true,
      jwtSecret: 'a-secret-of-a-test-that-is-long-enough-0123456789',
      contentTypes: { article: { attributes: { title: 'string' } } },
      data: { article: [{ title: 'first' }] },
      plugins: { 'users-permissions': { config: { ratelimit: { max: 60 } } } },
      auth: {
        roles: {
          editor: { console: true, permissions: ['article.*'] },
          member: { permissions: ['article.find'] },
        },
        users: [
          { username: 'ann', email: 'ann@example.com', password: PASSWORD, role: 'editor' },
          { username: 'mel', email: 'mel@example.com', password: PASSWORD, role: 'member' },
          { username: 'out', email: 'out@example.com', password: PASSWORD, role: 'editor', blocked: true },
        ],
        providers: {
          corp: { issuer: provider.issuer, console: { ...CLIENT, label: 'Example Corp' } },
          other: { issuer: `http://127.0.0.1:${port}`, console: { clientId: 'x' } },
          tokens: { issuer: 'http://localhost:9', audience: 'api' },
        },
      },
    },
    { env: {} },
  )
  const { url } = await cms.listen(0, '127.0.0.1')
  origin = url
  provider.open(`${origin}/_console/login/corp/callback`, people)
})
afterAll(async () => {
  await cms?.close()
  await provider?.close()
  broken.close()
})

type Headers = Readonly<Record<string, string>>

const ask = (path: string, headers: Headers = {}): Promise<Response> =>
  fetch(new URL(path, origin), { redirect: 'manual', headers })

const pairs = (response: Response): readonly string[] =>
  response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')

interface Started {
  readonly address: string
  readonly cookie: string
}

async function start(): Promise<Started> {
  const response = await ask('/_console/login/corp')
  expect(response.status).toBe(302)
  return { address: response.headers.get('location') ?? '', cookie: pairs(response)[0] ?? '' }
}

const sessionIn = (response: Response): string | undefined =>
  pairs(response).find((pair) => /^cms-run-console-\d+=.+/.test(pair))

async function finish(
  person: string,
): Promise<{ readonly response: Response; readonly cookie: string; back: URL }> {
  const { address, cookie } = await start()
  const back = await logInAt(address, person)
  return { response: await ask(back.href, { cookie }), cookie, back }
}

test('the way in is described without a login, and leads to the provider with all proofs', async () => {
  expect(await (await ask('/_console/login')).json()).toMatchObject({
    byPassword: true,
    providers: [
      { name: 'corp', label: 'Example Corp' },
      { name: 'other', label: 'Other' },
    ],
  })
  const first = await ask('/_console/login/corp')
  const [set = ''] = first.headers.getSetCookie()
  expect(set).toMatch(/^cms-run-console-provider-\d+=[\w-]{43}; Path=\/; .*SameSite=lax; HttpOnly$/i)
  const address = new URL(first.headers.get('location') ?? '')
  expect(address.origin).toBe(provider.issuer)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    ...{ client_id: 'cms', response_type: 'code', scope: 'openid email', code_challenge_method: 'S256' },
    redirect_uri: `${origin}/_console/login/corp/callback`,
  })
  expect(address.href).not.toContain(set.split(/[=;]/)[1])
  const second = new URL((await start()).address)
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(second.searchParams.get(name)).not.toBe(address.searchParams.get(name))
})

test('a user with the verified address gets a session, and acts as that user', async () => {
  const { response } = await finish('ann')
  expect(response.headers.get('location')).toBe('/')
  const cookie = sessionIn(response) ?? ''
  expect(response.headers.getSetCookie().find((one) => one.startsWith(cookie))).toMatch(
    /SameSite=strict; HttpOnly/,
  )
  const state = (await (await ask('/_console/login', { cookie })).json()) as { token: string; user: object }
  expect(state.user).toMatchObject({ username: 'ann', role: 'editor' })
  const articles = await ask('/api/articles', { cookie, 'x-console-key': state.token })
  expect(await articles.json()).toMatchObject({ data: [{ attributes: { title: 'first' } }] })
})

test.each([
  ['an address that is not verified', 'false', 'unverified'],
  ['no address', 'silent', 'unverified'],
  ['an address of no user', 'nobody', 'unknown'],
  ['a user whose role may not', 'mel', 'unknown'],
  ['a blocked user', 'out', 'unknown'],
])('%s: no session, and the reason', async (_, person, fault) => {
  const { response } = await finish(person)
  expect(response.headers.get('location')).toBe(`/#login-failed=${fault}`)
  expect(sessionIn(response)).toBeUndefined()
})

describe('refused', () => {
  const expired = async (path: string, headers: Headers = {}): Promise<void> => {
    const response = await ask(path, headers)
    expect(response.headers.get('location')).toBe('/#login-failed=expired')
    expect(sessionIn(response)).toBeUndefined()
  }

  test('the answer for another browser, which has no cookie or one of its own', async () => {
    const { address } = await start()
    const back = await logInAt(address, 'ann')
    await expired(back.href)
    await expired(back.href, { cookie: (await start()).cookie })
  })

  test('the answer for another provider', async () => {
    const { address, cookie } = await start()
    const back = await logInAt(address, 'ann')
    await expired(back.href.replace('/corp/', '/other/'), { cookie })
  })

  test('a code a second time, of another login, or made up', async () => {
    const { back, cookie } = await finish('ann')
    const again = await ask(back.href, { cookie })
    expect(again.headers.get('location')).toBe('/#login-failed=failed')
    const { address, cookie: fresh } = await start()
    const stolen = await logInAt((await start()).address, 'ann')
    const mixed = new URL(`${origin}/_console/login/corp/callback`)
    for (const code of [stolen.searchParams.get('code') ?? '', 'made-up']) {
      mixed.search = new URLSearchParams({
        ...{ code, state: new URL(address).searchParams.get('state') ?? '', iss: provider.issuer },
      }).toString()
      const response = await ask(mixed.href, { cookie: fresh })
      expect(response.headers.get('location')).toBe('/#login-failed=failed')
      expect(sessionIn(response)).toBeUndefined()
    }
  })

  test('an answer without all of it, with an error, and of another method', async () => {
    const { address, cookie } = await start()
    const state = new URL(address).searchParams.get('state') ?? ''
    const callback = '/_console/login/corp/callback'
    await expired(callback)
    await expired(`${callback}?state=${state}`)
    await expired(`${callback}?state=${state}x`, { cookie })
    const ended = await ask(`${callback}?state=${state}&error=access_denied`, { cookie })
    expect(ended.headers.get('location')).toBe('/#login-failed=cancelled')
    expect((await fetch(`${origin}${callback}`, { method: 'POST' })).status).toBe(401)
  })

  test('a login that another site begins, and providers that are none of the console', async () => {
    expect(
      (await ask('/_console/login/corp', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }))
        .status,
    ).toBe(403)
    for (const name of ['tokens', 'nothing', '__proto__', 'constructor'])
      expect((await ask(`/_console/login/${name}`)).status, name).not.toBe(302)
  })

  test('a provider without a description, which is asked once', async () => {
    for (let count = 0; count < 2; count++) {
      const response = await ask('/_console/login/other')
      expect(response.headers.get('location')).toBe('/#login-failed=failed')
    }
    expect(asked).toBe(1)
  })
})

test('its identity tokens are none of the API without an audience', async () => {
  const claims = Buffer.from(JSON.stringify({ iss: provider.issuer, sub: 'ann', aud: 'cms' })).toString(
    'base64url',
  )
  const response = await ask('/api/articles', { authorization: `Bearer e30.${claims}.x` })
  expect(response.status).toBe(401)
})

test.skipIf(withoutChromium('logins by a provider'))('in chromium, from a page and back to it', async () => {
  const browser = await launchChromium()
  try {
    const page = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${origin}/#login-failed=unknown`)
    await page.getByRole('alert').filter({ hasText: 'No user with your address' }).waitFor()
    await page.goto(`${origin}/#/data/article/1`)
    await page.getByRole('link', { name: 'Log in with Example Corp' }).click()
    await page.locator('input[name=login]').fill('ann')
    await page.locator('input[name=password]').fill('x')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]', { hasText: 'Continue' }).click()
    await page.waitForURL(`${origin}/#/data/article/1`)
    await page.locator('#field-title').waitFor()
    expect(await page.locator('#field-title').inputValue()).toBe('first')
    await page.goto(`${origin}/#/account`)
    await page.getByText('ann@example.com').first().waitFor()
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
