import { hash as bcrypt } from 'bcryptjs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../../src/access/hash-password.ts'
import { isOutdatedHash, verifyPassword } from '../../../src/access/verify-password.ts'

test('a password and its hash', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct horsf', hash)).toBe(false)
  expect(isOutdatedHash(hash)).toBe(false)
})

test('a bcrypt hash of another project', async () => {
  const hash = await bcrypt('Passw0rd!alice', 4)
  expect(await verifyPassword('Passw0rd!alice', hash)).toBe(true)
  expect(await verifyPassword('Passw0rd!bob', hash)).toBe(false)
  expect(isOutdatedHash(hash)).toBe(true)
  expect(isOutdatedHash(hash.replace('$2b$', '$2a$'))).toBe(true)
})

test.each(['', 'x', 'NNNN'])('nobody has the password %j', async (password) => {
  expect(await verifyPassword(password, undefined)).toBe(false)
})

describe('nothing is cut off', () => {
  test('behind byte 72', async () => {
    const hash = await hashPassword(`${'x'.repeat(80)}a`)
    expect(await verifyPassword(`${'x'.repeat(80)}b`, hash)).toBe(false)
    expect(await verifyPassword('x'.repeat(72), hash)).toBe(false)
  })

  test('1,024 bytes are taken, one more is refused', async () => {
    const longest = 'é'.repeat(512)
    expect(await verifyPassword(longest, await hashPassword(longest))).toBe(true)
    await expect(hashPassword(`${longest}x`)).rejects.toThrow('at most 1024 bytes')
    expect(await verifyPassword(`${longest}x`, await hashPassword(longest))).toBe(false)
  })

  test('what is received is what is compared', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const hash = await hashPassword(one)
        expect(await verifyPassword(one, hash)).toBe(true)
        expect(await verifyPassword(other, hash)).toBe(one === other)
      }),
      { numRuns: 10 },
    )
    // Composed and decomposed are two passwords, as everywhere where nothing is normalized.
    expect(await verifyPassword('e\u0301', await hashPassword('\u00e9'))).toBe(false)
  })
})

test('a flood is answered with 503, and what was let in is answered', async () => {
  const hash = await hashPassword('x')
  const all = await Promise.allSettled(Array.from({ length: 200 }, () => verifyPassword('x', hash)))
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const one of refused)
    expect(one).toMatchObject({ reason: { status: 503, headers: { 'retry-after': '1' } } })
  const answered = all.filter(({ status }) => status === 'fulfilled')
  expect(answered.length).toBeGreaterThanOrEqual(64)
  for (const one of answered) expect(one).toMatchObject({ value: true })
  expect(await verifyPassword('x', hash)).toBe(true)
})
