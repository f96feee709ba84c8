import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseTypedScalar } from '../../../src/config/interpolate-env.ts'

test.each<[string, unknown]>([
  ['5', 5],
  ['-5', -5],
  ['1.5', 1.5],
  ['1e3', 1000],
  ['.5', 0.5],
  ['true', true],
  ['False', false],
  ['null', null],
  ['~', null],
  ['', ''],
  ['yes', 'yes'],
  ['1_000', '1_000'],
  ['12:30', '12:30'],
  ['9007199254740993', '9007199254740993'],
  ['1e400', '1e400'],
  ['.inf', '.inf'],
  ['0x1F', '0x1F'],
  [' 5', ' 5'],
])('%j -> %j', (text, value) => {
  expect(parseTypedScalar(text)).toBe(value)
})

test('decimal numbers and words are read as the YAML library reads them', () => {
  const unit = fc.constantFrom('0', '1', '7', '.', 'e', '-', '+', 't', 'r', 'u')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 6 }), (text) => {
      const read: unknown = parse(`[ ${JSON.stringify(text)}, ${text} ]`, { logLevel: 'silent' })
      const [, plain] = read as [string, unknown]
      fc.pre(plain === null || typeof plain !== 'object')
      if (typeof plain === 'number' && Number.isFinite(plain)) expect(parseTypedScalar(text)).toBe(plain)
      else expect(parseTypedScalar(text)).toBe(text)
    }),
  )
})
