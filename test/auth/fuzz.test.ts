// Whatever stands where a login, a code or a token is expected: an answer that says what is wrong with it, never a fault
// of ours, and never a way in.

import fc from 'fast-check'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asking, openAccounts, SECRET } from './open-accounts.ts'

let ask: Asking
const log: string[] = []
beforeAll(async () => {
  ask = await openAccounts({}, (line) => log.push(line))
})
afterAll(() => ask.cms.close())

const key = new TextEncoder().encode(SECRET)

/** Header values that can be sent: printable Latin-1 and tabs. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
})
const base64url = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_=.'), maxLength: 120 })
const credentials = fc.oneof(
  headerText,
  headerText.map((text) => `Bearer ${text}`),
  fc
    .tuple(fc.constantFrom('Bearer', 'bearer', 'BEARER', 'Bearer  '), base64url)
    .map((parts) => parts.join(' ')),
  fc.tuple(base64url, base64url, base64url).map((parts) => `Bearer ${parts.join('.')}`),
  fc.integer({ min: 1, max: 60_000 }).map((length) => `Bearer ${'a.'.repeat(length)}`),
)

test('an authorization header at random is refused, or is none', async () => {
  await fc.assert(
    fc.asyncProperty(credentials, async (authorization) => {
      let headers: Headers
      try {
        headers = new Headers({ authorization })
      } catch {
        return
      }
      const { status } = await ask.cms.fetch('/api/users/me', { headers })
      // 403: no token, so the public; 401: a token that is none of ours; 431: too long.
      expect([401, 403, 431]).toContain(status)
    }),
    { numRuns: 500 },
  )
})

const claimValue = fc.oneof(
  fc.constantFrom<unknown>(1, '1', 1.5, -1, 0, null, true, [1], { $ne: 0 }, 2 ** 53, Number.MAX_VALUE, ''),
  fc.jsonValue(),
)

test('a token with our signature and claims at random lets nobody in who has not logged in', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  const known = fc.record(
    {
      id: claimValue,
      iat: fc.oneof(claimValue, fc.constant(seconds)),
      exp: fc.oneof(claimValue, fc.constant(seconds + 1000)),
      epoch: claimValue,
      aud: claimValue,
      sub: claimValue,
      nbf: fc.oneof(claimValue, fc.constant(seconds + 1000)),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      known,
      fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
      async (claims, more) => {
        const payload = { ...more, ...claims }
        const header = { alg: 'HS256' as const }
        const token = await new SignJWT(payload as never).setProtectedHeader(header).sign(key)
        const { status } = await ask.get('/api/users/me', token)
        const good =
          Number.isSafeInteger(claims.id) &&
          Number(claims.id) >= 1 &&
          typeof claims.iat === 'number' &&
          typeof claims.exp === 'number'
        if (good) expect([200, 401]).toContain(status)
        else expect(status).toBe(401)
      },
    ),
    { numRuns: 500 },
  )
})

const NAMES = [
  ...['identifier', 'password', 'username', 'email', 'code', 'passwordConfirmation', 'currentPassword'],
  ...['provider', 'role', 'confirmed', 'blocked', 'id', 'tokenEpoch', '__proto__', 'constructor', 'data'],
]
const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom<unknown>(
    'alice',
    'alice@example.com',
    'new.user@example.com',
    'Passw0rd!alice',
    'x'.repeat(5000),
    '\u0000',
    '\ud800',
    "' or 1=1 --",
    '%',
    '<%= user.password %>',
    'a@b.c\r\nBcc: d@e.f',
  ),
)
const bodies = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 8 }),
  fc.record({ identifier: value, password: value }, { requiredKeys: [] }),
  fc.record({ username: value, email: value, password: value, role: value }, { requiredKeys: [] }),
  fc.record({ code: value, password: value, passwordConfirmation: value }, { requiredKeys: [] }),
  fc.jsonValue(),
)

test('a body at random is answered, by no fault of ours, and gives nobody what he must not have', async () => {
  const token = await ask.logIn('alice', 'Passw0rd!alice')
  const route = fc.constantFrom(
    'local',
    'local/register',
    'forgot-password',
    'reset-password',
    'change-password',
    'send-email-confirmation',
  )
  await fc.assert(
    fc.asyncProperty(route, bodies, fc.boolean(), async (path, body, asAlice) => {
      const { status, body: answer } = await ask.post(`/api/auth/${path}`, body, asAlice ? token : undefined)
      expect([200, 400, 401, 403]).toContain(status)
      const user = (answer as { user?: { provider?: string; role?: { type?: string } } }).user
      if (user !== undefined) {
        expect(user.provider).toBe('local')
        expect(user.role?.type ?? 'authenticated').toBe('authenticated')
      }
    }),
    { numRuns: 400 },
  )
})

test('bytes at random are answered, too', async () => {
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), types, async (body, type) => {
      const { status } = await ask.cms.fetch('/api/auth/local', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      expect([400, 413, 415]).toContain(status)
    }),
    { numRuns: 300 },
  )
})

const wellFormed = (text: string): string => Buffer.from(text).toString()

test('query strings at random confirm nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), fc.boolean(), async (text, named) => {
      const query = named
        ? `confirmation=${encodeURIComponent(wellFormed(text))}`
        : encodeURI(wellFormed(text))
      const { status } = await ask.cms.fetch(`/api/auth/email-confirmation?${query}`, { redirect: 'manual' })
      expect(status).toBe(400)
    }),
    { numRuns: 300 },
  )
})

test('nothing of it was a fault of ours', () => {
  expect(log.filter((line) => line.includes('by an internal error'))).toEqual([])
})
