import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpolateEnv } from '../../../src/config/interpolate-env.ts'

const env = {
  A: 'one',
  B: 'two',
  EMPTY: '',
  PORT: '1337',
  ON: 'true',
  NONE: 'null',
  BIG: '9007199254740993',
  LOOP: `\${A}`,
}

/** `${…}` written without tripping over template strings. */
const ref = (inner: string) => `\${${inner}}`

describe('a value', () => {
  test.each<[string, unknown, unknown]>([
    ['without a reference stays', 'plain $A text', 'plain $A text'],
    ['that is a reference', ref('A'), 'one'],
    ['with a reference inside', `x-${ref('A')}-${ref('B')}`, 'x-one-two'],
    ['with a default, variable set', ref('A:-zero'), 'one'],
    ['with a default, variable missing', ref('MISSING:-zero'), 'zero'],
    ['with a default, variable empty', ref('EMPTY:-zero'), 'zero'],
    ['with an empty default', ref('MISSING:-'), ''],
    ['of an empty variable', `[${ref('EMPTY')}]`, '[]'],
    ['with a message, variable set', ref('A:?say one'), 'one'],
    ['with a literal', `$${ref('A')}`, ref('A')],
    ['with a literal and a reference', `$${ref('A')} is ${ref('A')}`, `${ref('A')} is one`],
    ['a reference read once only', ref('LOOP'), ref('A')],
    ['wholly a number', ref('PORT'), 1337],
    ['partly a number', `${ref('PORT')}0`, '13370'],
    ['wholly true', ref('ON'), true],
    ['wholly null', ref('NONE'), null],
    ['a number that would lose digits', ref('BIG'), '9007199254740993'],
    ['a default read as YAML', ref('MISSING:-5'), 5],
    ['a colon in a default', ref('MISSING:-http://x:1/'), 'http://x:1/'],
    ['in lists and maps', { a: [ref('A'), { b: ref('PORT') }] }, { a: ['one', { b: 1337 }] }],
    ['a number stays', 5, 5],
    ['null stays', null, null],
  ])('%s', (_name, value, expected) => {
    const { value: result, diagnostics } = interpolateEnv(value, env)
    expect(diagnostics).toEqual([])
    expect(result).toEqual(expected)
  })
})

describe('a fault', () => {
  test.each<[string, string, string]>([
    ['missing variable', ref('MISSING'), 'environment variable MISSING is not set'],
    [
      'missing variable with a message',
      ref('MISSING:?the URL'),
      'environment variable MISSING is not set: the URL',
    ],
    ['empty variable with a message', ref('EMPTY:?the URL'), 'environment variable EMPTY is empty: the URL'],
    ['inherited name', ref('toString'), 'environment variable toString is not set'],
    ['no name', ref(''), `"${ref('')}" names no environment variable`],
    ['another operator', ref('A-x'), `"${ref('A-x')}" names no environment variable`],
    ['not closed', `\${A`, `"\${" without a closing "}"`],
    ['nested', ref(`A:-${ref('B')}`), 'an interpolation inside another one'],
  ])('%s', (_name, value, message) => {
    expect(interpolateEnv({ key: value }, env).diagnostics).toMatchObject([
      { severity: 'error', path: ['key'], message },
    ])
  })
})

describe('more text than 16 MB', () => {
  const long = { LONG: 'x'.repeat(128 * 1024) }
  const aliased = ref('LONG').repeat(10)

  test.each<[string, unknown, readonly (string | number)[]]>([
    ['in one value', { a: 'short', b: ref('LONG').repeat(100_000) }, ['b']],
    ['in one text that many aliases stand for', Array.from({ length: 90_000 }, () => aliased), [12]],
    ['in texts without variables', Array.from({ length: 9 }, () => '$'.repeat(2 ** 21) + ref('A')), [7]],
  ])('%s is said once, where it does not fit', (_name, value, path) => {
    const { diagnostics } = interpolateEnv(value, { ...env, ...long })
    expect(diagnostics).toMatchObject([{ code: 'CFG045', severity: 'error', path }])
  })

  test('not: as much as is allowed', () => {
    expect(interpolateEnv([ref('LONG').repeat(127)], long).diagnostics).toEqual([])
  })
})

test('what came out of the environment is remembered as secret, a default is not', () => {
  const { secrets, interpolated } = interpolateEnv(
    { a: ref('A'), b: `x${ref('B')}`, c: ref('MISSING:-free') },
    env,
  )
  expect([...secrets].sort()).toEqual(['one', 'two', 'xtwo'])
  expect(interpolated.map(({ path, variables }) => [path[0], variables])).toEqual([
    ['a', ['A']],
    ['b', ['B']],
    ['c', []],
  ])
})

test('neither the environment nor the value is changed', () => {
  const value = Object.freeze({ a: Object.freeze([ref('A')]) })
  expect(interpolateEnv(value, Object.freeze({ A: 'one' })).value).toEqual({ a: ['one'] })
})

test('any text survives when each opening is made literal', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-', '?', ' ') }), (text) => {
      const opened = '${'
      fc.pre(!text.includes(opened))
      const written = `${text}$${opened}${text}`
      expect(interpolateEnv([written], env)).toMatchObject({
        value: [`${text}${opened}${text}`],
        diagnostics: [],
      })
    }),
  )
})

test('never throws, and says something about every reference that it cannot read', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-', '?', 'z') }), (text) => {
      const { value, diagnostics } = interpolateEnv(text, { A: 'a' })
      if (diagnostics.length === 0 && text.includes('${'))
        expect(typeof value).toMatch(/string|number|boolean|object/)
      if (!text.includes('${')) expect(value).toBe(text)
    }),
  )
})
