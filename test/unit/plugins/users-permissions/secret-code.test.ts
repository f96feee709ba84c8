import { expect, test } from 'vitest'
import {
  buildStoredForm,
  CODE_LIFETIME_MS,
  createSecretCode,
} from '../../../../src/plugins/users-permissions/secret-code.ts'

const NOW = 1_800_000_000_000

test('a code is good for an hour', () => {
  const { code, stored } = createSecretCode(NOW)
  expect(buildStoredForm(code, NOW)).toBe(stored)
  expect(buildStoredForm(code, NOW + CODE_LIFETIME_MS - 1)).toBe(stored)
  expect(buildStoredForm(code, NOW + CODE_LIFETIME_MS)).toBeUndefined()
})

test('what is stored is no code', () => {
  const { code, stored } = createSecretCode(NOW)
  expect(stored).not.toContain(code.slice(0, 8))
  expect(buildStoredForm(stored, NOW)).toBeUndefined()
})

test('a later end makes another code', () => {
  const { code, stored } = createSecretCode(NOW)
  const longer = code.slice(0, -12) + (NOW + 10 * CODE_LIFETIME_MS).toString(16).padStart(12, '0')
  expect(buildStoredForm(longer, NOW + CODE_LIFETIME_MS)).toBeDefined()
  expect(buildStoredForm(longer, NOW)).not.toBe(stored)
})

test('no two are alike', () => {
  expect(new Set(Array.from({ length: 1000 }, () => createSecretCode(NOW).code)).size).toBe(1000)
})

test.each([
  '',
  'x',
  'undefined',
  '%',
  'ABCDEF'.repeat(13),
  'a'.repeat(75),
  'a'.repeat(77),
  'a'.repeat(100_000),
])('%.10j is none', (code) => {
  expect(buildStoredForm(code, NOW)).toBeUndefined()
})
