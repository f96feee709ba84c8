// Latin letters with accents are spelled without any-ascii's tables, as the tables would.

import anyAscii from 'any-ascii'
import { expect, test } from 'vitest'
import { slugify } from '../../../src/lib/slugify.ts'

const letters = Array.from({ length: 0x180 - 0xc0 }, (_, index) => String.fromCharCode(0xc0 + index))

test.each(letters)('%s', (letter) => {
  const spelled = anyAscii(letter).toLowerCase()
  expect(slugify(`a${letter}b`)).toBe(slugify(`a${spelled}b`))
})
