import { createHmac } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createUserTokens } from '../../../src/access/json-web-token.ts'

const SECRET = 'a secret that is long enough for HS256'
const NOW = 1_800_000_000_000
const seconds = NOW / 1000
const tokens = createUserTokens({ secrets: [SECRET], lifetime: 60_000, now: () => NOW })

test('what is issued is believed', async () => {
  expect(await tokens.verify(await tokens.issue({ id: 7, epoch: 0 }))).toEqual({
    id: 7,
    epoch: 0,
    issuedAt: seconds,
  })
  expect(await tokens.verify(await tokens.issue({ id: 7, epoch: 3 }))).toEqual({
    id: 7,
    epoch: 3,
    issuedAt: seconds,
  })
})

test('claims are id, iat, exp and the epoch', async () => {
  const [, payload = ''] = (await tokens.issue({ id: 7, epoch: 0 })).split('.')
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
    id: 7,
    epoch: 0,
    iat: seconds,
    exp: seconds + 60,
  })
})

test('a token ends', async () => {
  const token = await tokens.issue({ id: 7, epoch: 0 })
  const later = createUserTokens({ secrets: [SECRET], lifetime: 60_000, now: () => NOW + 60_000 })
  expect(await later.verify(token)).toBeUndefined()
})

test('an older secret still verifies, a removed one does not', async () => {
  const token = await tokens.issue({ id: 7, epoch: 0 })
  const rotated = createUserTokens({ secrets: ['b'.repeat(32), SECRET], lifetime: 60_000, now: () => NOW })
  const removed = createUserTokens({ secrets: ['b'.repeat(32)], lifetime: 60_000, now: () => NOW })
  expect(await rotated.verify(token)).toEqual({ id: 7, epoch: 0, issuedAt: seconds })
  expect(await removed.verify(token)).toBeUndefined()
})

function signed(
  claims: Record<string, unknown>,
  alg = 'HS256',
  header: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(new TextEncoder().encode(SECRET))
}

const good = { id: 1, iat: seconds, exp: seconds + 60 }

describe('refused', () => {
  test.each<[string, Record<string, unknown>]>([
    ['no end', { id: 1, iat: seconds }],
    ['no start', { id: 1, exp: seconds + 60 }],
    ['no user', { iat: seconds, exp: seconds + 60 }],
    ['a list as id', { ...good, id: [1] }],
    ['an operator as id', { ...good, id: { $ne: 0 } }],
    ['text as id', { ...good, id: '1' }],
    ['SQL as id', { ...good, id: '1 OR 1=1' }],
    ['zero as id', { ...good, id: 0 }],
    ['a fraction as id', { ...good, id: 1.5 }],
    ['text as end', { ...good, exp: String(seconds + 60) }],
    ['a start in the future', { ...good, iat: seconds + 61 }],
    ['not yet', { ...good, nbf: seconds + 60 }],
    ['for somebody else', { ...good, aud: 'other' }],
    ['for something else', { ...good, purpose: 'reset' }],
    ['a wrong epoch', { ...good, epoch: '0' }],
  ])('%s', async (_, claims) => {
    expect(await tokens.verify(await signed(claims))).toBeUndefined()
  })

  test.each(['HS384', 'HS512'])('%s with the same key', async (alg) => {
    expect(await tokens.verify(await signed(good, alg))).toBeUndefined()
  })

  test('no signature', async () => {
    expect(await tokens.verify(new UnsecuredJWT(good).encode())).toBeUndefined()
  })

  test.each(['none', 'None', 'nOnE', 'RS256', 'ES256', undefined])(
    'alg %s, signed all the same',
    async (alg) => {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const head = `${part({ alg, typ: 'JWT' })}.${part(good)}`
      const signature = createHmac('sha256', SECRET).update(head).digest('base64url')
      expect(await tokens.verify(`${head}.${signature}`)).toBeUndefined()
    },
  )

  test.each(['', 'x', '..', 'a.b.c', 'x'.repeat(1_000_000), 'eyJhbGciOiJIUzI1NiJ9.e30.'])(
    '%.20s',
    async (token) => {
      expect(await tokens.verify(token)).toBeUndefined()
    },
  )
})

test('foreign keys in the header are not looked at', async () => {
  expect(
    await tokens.verify(await signed(good, 'HS256', { kid: '../../etc/passwd', jku: 'http://x' })),
  ).toEqual({ id: 1, epoch: undefined, issuedAt: seconds })
})
