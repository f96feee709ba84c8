import { expect, test } from 'vitest'
import { createApiTokenStrategy, hashApiToken } from '../../../src/access/api-tokens.ts'
import type { ApiTokenConfig } from '../../../src/config/auth-config.ts'
import type { HttpRequest } from '../../../src/http/request.ts'
import { model } from '../plan/library.ts'

const actions = new Set(['api::a.a.find', 'api::a.a.findOne', 'api::a.a.create', 'plugin::p.x.count'])
const NOW = Date.parse('2026-06-01T00:00:00Z')

const used: string[] = []

function strategyOf(...tokens: ApiTokenConfig[]) {
  return createApiTokenStrategy({
    standIns: undefined,
    tokens,
    actions,
    model,
    publicDrafts: true,
    now: () => NOW,
    used: (name) => used.push(name),
  })
}

/** API tokens do not look at the request. */
const request = {} as HttpRequest

function allowed(strategy: ReturnType<typeof strategyOf>, token: string): readonly string[] {
  const principal = strategy.authenticate(token, request)
  if (principal === undefined || principal instanceof Promise) throw new Error('not known')
  expect(principal.kind).toBe('api-token')
  return [...actions].filter((action) => principal.permissions.can(action))
}

test.each([
  ['read-only', undefined, ['api::a.a.find', 'api::a.a.findOne']],
  ['full-access', undefined, [...actions]],
  ['custom', ['a.create', 'plugin::p.x.count'], ['api::a.a.create', 'plugin::p.x.count']],
  ['custom', [], []],
] as const)('%s %j', (type, permissions, expected) => {
  const token = { name: 't', type, token: 'abc', ...(permissions === undefined ? {} : { permissions }) }
  expect(allowed(strategyOf(token), 'abc')).toEqual(expected)
})

test('a token by its hash', () => {
  const strategy = strategyOf({ name: 't', type: 'full-access', tokenHash: hashApiToken('abc') })
  expect(allowed(strategy, 'abc')).toEqual([...actions])
  expect(strategy.authenticate(hashApiToken('abc'), request)).toBeUndefined()
})

test.each(['', 'ab', 'abcd', 'ABC', 'abc ', 'a'.repeat(100_000)])('%j is not abc', (token) => {
  expect(
    strategyOf({ name: 't', type: 'full-access', token: 'abc' }).authenticate(token, request),
  ).toBeUndefined()
})

test.each([
  ['2026-06-01T00:00:00.001Z', true],
  ['2026-06-01T00:00:00Z', false],
  ['2020-01-01', false],
  [null, true],
])('expires %j', (expiresAt, valid) => {
  const strategy = strategyOf({ name: 't', type: 'full-access', token: 'abc', expiresAt })
  if (valid) expect(allowed(strategy, 'abc')).toEqual([...actions])
  else expect(() => strategy.authenticate('abc', request)).toThrow('Token expired')
})

test('who lets a token in is told its name, who does not is not', () => {
  const strategy = strategyOf(
    { name: 'good', type: 'full-access', token: 'good-token' },
    { name: 'old', type: 'full-access', token: 'old-token', expiresAt: '2026-01-01T00:00:00Z' },
  )
  used.length = 0
  strategy.authenticate('good-token', request)
  strategy.authenticate('unknown', request)
  expect(() => strategy.authenticate('old-token', request)).toThrow('Token expired')
  expect(used).toEqual(['good'])
})
