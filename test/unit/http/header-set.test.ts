import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeaderSet, formatHeader } from '../../../src/http/header-set.ts'

test('joins headers to a block', () => {
  expect(createHeaderSet({ vary: 'Origin', 'x-a': 'b c' }).block).toBe('\r\nvary: Origin\r\nx-a: b c')
})

test.each(['', 'A', 'a b', 'a:', 'a\r', 'ä', 'content-length', 'connection', 'transfer-encoding'])(
  'refuses the name %j',
  (name) => expect(() => formatHeader(name, 'x')).toThrow('reply header'),
)

test('no value can start a line of its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      let line: string
      try {
        line = formatHeader('x-a', value)
      } catch {
        return
      }
      expect(line).toMatch(/^\r\nx-a: [\t\x20-\x7e]*$/)
    }),
  )
})
