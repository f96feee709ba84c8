import { describe, expect, test } from 'vitest'
import type { ScalarType } from '../../../src/model/attribute.ts'
import { parseBigInteger, showValue, wantedKind } from '../../../src/model/value-kind.ts'

describe('wantedKind', () => {
  const rows: readonly (readonly [ScalarType, readonly unknown[], readonly unknown[]])[] = [
    ['string', ['', 'text'], [5, true, null, [], {}]],
    ['text', ['text'], [5]],
    ['richtext', ['# text'], [{}]],
    ['password', ['secret'], [12345]],
    ['enumeration', ['any text'], [1]],
    ['uid', ['', 'a-b_c.d~E9'], ['a b', 'ä', 5]],
    ['email', ['a@b.example'], ['a', 'a@', '@b', 'a b@c', 5]],
    ['integer', [0, -3, 2 ** 40], [1.5, '1', Number.NaN, 2 ** 60]],
    ['float', [0, 1.5], ['1.5', Number.NaN, Number.POSITIVE_INFINITY]],
    ['decimal', [0.1], ['0.1', true]],
    [
      'biginteger',
      [5, '9223372036854775807', '-9223372036854775808', '+1'],
      ['9223372036854775808', '1.5', '', 1.5, true],
    ],
    ['boolean', [true, false], ['true', 0, 1]],
    ['date', ['2024-02-29'], ['2023-02-29', '1.1.2024', 20240101]],
    ['time', ['18:30:00', '18:30:00.123'], ['18:30', '24:00:00', 1830]],
    ['datetime', ['2024-03-01T10:00:00Z', '2024-03-01', 1_700_000_000_000], ['tomorrow', '2024-13-01', true]],
    ['timestamp', ['1700000000000'], ['now']],
    ['json', [null, 1, 'text', [], {}], []],
    ['blocks', [[]], ['text', {}]],
  ]
  for (const [type, good, bad] of rows) {
    test(type, () => {
      expect(good.filter((value) => wantedKind(type, value) !== undefined)).toEqual([])
      expect(bad.filter((value) => wantedKind(type, value) === undefined)).toEqual([])
    })
  }
})

test('parseBigInteger keeps every digit', () => {
  expect(parseBigInteger('9007199254740993')).toBe(9007199254740993n)
  expect(parseBigInteger(' 1')).toBeUndefined()
})

test('showValue cuts what is long', () => {
  expect(showValue('short')).toBe('"short"')
  expect(showValue('x'.repeat(100))).toHaveLength(60)
  expect(showValue(undefined)).toBe('undefined')
})
