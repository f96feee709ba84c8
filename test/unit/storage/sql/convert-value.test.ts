import { describe, expect, test } from 'vitest'
import { buildConverter } from '../../../../src/storage/sql/migrations/convert-value.ts'

describe('buildConverter', () => {
  for (const [from, value, to, expected] of [
    ['integer', 3, 'biginteger', 3n],
    ['integer', 3, 'float', 3],
    ['integer', 3, 'text', '3'],
    ['integer', 1, 'boolean', true],
    ['integer', 2, 'boolean', undefined],
    ['integer', 3, 'json', '3'],
    ['float', 3, 'integer', 3],
    ['float', 3.5, 'integer', undefined],
    ['float', 1e300, 'biginteger', undefined],
    ['float', 0.1, 'decimal', 0.1],
    ['decimal', 0.1, 'text', '0.1'],
    ['biginteger', '9223372036854775807', 'integer', undefined],
    ['biginteger', '9007199254740991', 'integer', 9007199254740991],
    ['biginteger', '9223372036854775807', 'text', '9223372036854775807'],
    ['biginteger', '9223372036854775807', 'float', undefined],
    ['boolean', 0, 'text', 'false'],
    ['boolean', 1, 'integer', 1],
    ['boolean', 1, 'biginteger', 1n],
    ['boolean', 1, 'json', 'true'],
    ['text', '42', 'integer', 42],
    ['text', '-42', 'integer', -42],
    ['text', '042', 'integer', undefined],
    ['text', '', 'integer', undefined],
    ['text', ' 1', 'integer', undefined],
    ['text', '1e3', 'integer', undefined],
    ['text', '1.0', 'integer', 1],
    ['text', '1.5', 'integer', undefined],
    ['text', '12.50', 'decimal', 12.5],
    ['text', '0.30000000000000001', 'float', undefined],
    ['text', '9223372036854775807', 'biginteger', 9223372036854775807n],
    ['text', '9223372036854775808', 'biginteger', undefined],
    ['text', '-0', 'biginteger', undefined],
    ['text', 'true', 'boolean', true],
    ['text', '1', 'boolean', undefined],
    ['text', '2024-02-29', 'date', '2024-02-29'],
    ['text', '2023-02-29', 'date', undefined],
    ['text', '2024-02-29T10:00:00Z', 'date', undefined],
    ['text', '10:20:30', 'time', '10:20:30.000'],
    ['text', '25:00:00', 'time', undefined],
    ['text', '1970-01-01T00:00:01Z', 'datetime', 1000],
    ['text', '1970-01-01', 'datetime', undefined],
    ['text', '1000', 'datetime', undefined],
    ['text', '[1]', 'json', '[1]'],
    ['text', 'word', 'json', undefined],
    ['text', '"word"', 'json', undefined],
    ['date', '1970-01-02', 'datetime', 86_400_000],
    ['date', '1970-01-02', 'text', '1970-01-02'],
    ['datetime', 86_400_000, 'date', '1970-01-02'],
    ['datetime', 86_400_001, 'date', undefined],
    ['datetime', 0, 'text', '1970-01-01T00:00:00.000Z'],
    ['datetime', 0, 'json', '"1970-01-01T00:00:00.000Z"'],
    ['json', '{"a":1}', 'text', '{"a":1}'],
    ['json', '7', 'integer', 7],
    ['json', '9007199254740993', 'float', undefined],
    ['json', '"7"', 'integer', undefined],
    ['json', 'null', 'boolean', undefined],
  ] as const) {
    test(`${from} ${value} to ${to}`, () => {
      const convert = buildConverter(from, to)
      expect(convert).toBeDefined()
      expect(convert?.(value)).toEqual(expected)
    })
  }

  for (const [from, to] of [
    ['time', 'boolean'],
    ['integer', 'datetime'],
    ['text', 'reference'],
    ['reference', 'integer'],
    ['time', 'datetime'],
  ] as const) {
    test(`${from} means nothing as ${to}`, () => expect(buildConverter(from, to)).toBeUndefined())
  }
})
