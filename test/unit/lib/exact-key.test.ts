// Two values have the same key only where nothing can tell them apart.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildExactKey } from '../../../src/lib/exact-key.ts'

/** Few of each, so that equal values and those that JSON writes alike come often. */
const scalar = fc.constantFrom(
  ...[
    undefined,
    null,
    true,
    false,
    0,
    -0,
    1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    'null',
    '',
    '1',
    '}',
    ',',
  ],
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', '', '":1,"b'), tie('value'), { maxKeys: 1, noNullPrototype: true }),
  ),
}))

test('keys are equal where values are', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(buildExactKey(one) === buildExactKey(other)).toBe(isDeepStrictEqual(one, other))
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['a date', new Date(0)],
  ['a map', new Map([[1, 2]])],
  ['a function in a list', [() => 1]],
  ['a symbol', Symbol.iterator],
  ['an object of a class within', { file: new (class Upload {})() }],
])('%s has no key', (_name, given) => {
  expect(buildExactKey(given)).toBeUndefined()
})

test('a long value has no key, nor a deep one', () => {
  expect(buildExactKey({ text: 'x'.repeat(50) }, 100)).toBeDefined()
  expect(buildExactKey({ text: 'x'.repeat(101) }, 100)).toBeUndefined()
  expect(buildExactKey(Array(60).fill(1), 100)).toBeUndefined()
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(buildExactKey(deep)).toBeUndefined()
})
