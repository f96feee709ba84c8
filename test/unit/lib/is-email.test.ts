// Which text is an email address.

import { describe, expect, test } from 'vitest'
import { isEmail } from '../../../src/lib/is-email.ts'

describe('an address', () => {
  test.each([
    'a@b.co',
    'A@B.CO',
    'a+b@c.d',
    'first.last@sub.example.org',
    'é@b.co',
    'a@bücher.example',
    "o'brien@x.ie",
    'a@1.example',
    `${'a'.repeat(64)}@b.co`,
  ])('%s', (text) => {
    expect(isEmail(text)).toBe(true)
  })
})

describe('no address', () => {
  test.each([
    ...[
      '',
      '@',
      'a',
      'a@',
      '@b',
      'a@b',
      'a@localhost',
      'a@b.',
      'a@.co',
      'a@b..co',
      'a@b.c1',
      'a@b.1',
      'a@1.2.3.4',
    ],
    ...[
      '.a@b.co',
      'a.@b.co',
      'a..b@b.co',
      'a b@b.co',
      ' a@b.co',
      'a@b.co ',
      'a@b@c.co',
      'a@-b.co',
      'a@b-.co',
    ],
    ...['a@b.co\n', 'a\0@b.co', 'a,b@c.co', '<a@b.co>', 'a@b.co, c@d.co', 'a@b.co\r\nbcc: c@d.co'],
    ...[`${'a'.repeat(65)}@b.co`, `a@${'b.'.repeat(130)}co`],
  ])('%j', (text) => {
    expect(isEmail(text)).toBe(false)
  })

  test('whatever its form, it is said at once', () => {
    expect(isEmail(`a@${'a-'.repeat(200_000)}`)).toBe(false)
    expect(isEmail(`${'a.'.repeat(32)}@${'a-'.repeat(80)}`)).toBe(false)
  })
})
