// A JSON string is what JSON.stringify makes of the text, whatever is in it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJsonText } from '../../../src/lib/json-text.ts'

test('equals JSON.stringify', () => {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\u007f', '\u2028', '\ud83d', '\ude00', 'é', 'a'),
  )
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 200 }), (units) => {
      const text = units.join('')
      expect(toJsonText(text)).toBe(JSON.stringify(text))
    }),
    { numRuns: 2000 },
  )
})
