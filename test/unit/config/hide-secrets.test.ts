import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeFound } from '../../../src/config/describe-value.ts'
import { createMask } from '../../../src/config/hide-secrets.ts'

test.each([
  ['in quotes, however short', ['a'], 'found "a" at a', 'found "***" at a'],
  ['without quotes', ['password-1'], 'no password-1!', 'no ***!'],
  ['two that share letters', ['abcdefgh', 'efghijkl'], '(abcdefghijkl)', '(***)'],
  ['one that is part of another', ['abcdefgh', 'abcdefgh and more'], 'abcdefgh and more', '***'],
  ['side by side', ['abcdefgh'], 'abcdefghabcdefgh', '******'],
  ['with a quote in it', ['say "it"'], 'found "say \\"it\\""', 'found "***"'],
  ['as a message cuts it off', ['x'.repeat(70)], `found ${describeFound('x'.repeat(70))}`, 'found "***…"'],
  ['an empty one', [''], 'found ""', 'found "***"'],
] as const)('%s', (_, secrets, text, masked) => {
  expect(createMask(new Set(secrets))(text)).toBe(masked)
})

test('no secret is left in any text', () => {
  // Few letters, so that secrets are parts of others and overlap.
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\'), minLength: 8, maxLength: 70 })
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 20 }), fc.context(), (secrets, context) => {
      const text = secrets.map((secret) => `${secret}${describeFound(secret)}`).join('|')
      const masked = createMask(new Set(secrets))(text)
      context.log(masked)
      for (const secret of secrets) expect(masked).not.toContain(secret)
      expect(masked.replaceAll('***', '')).not.toMatch(/[ab]{3}/)
    }),
  )
})
