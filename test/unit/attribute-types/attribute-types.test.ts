import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type {
  AttributeType,
  Constraints,
  ScalarValue,
  StoredValue,
} from '../../../src/attribute-types/attribute-type.ts'
import {
  attributeTypes,
  isScalarType,
  type ScalarType,
} from '../../../src/attribute-types/attribute-types.ts'
import { parseBigInteger } from '../../../src/attribute-types/biginteger.ts'
import { sqliteDialect } from '../../../src/storage/drivers/sqlite/sqlite-dialect.ts'
import { decodeArchiveValue, toArchive } from '../../../src/storage/sql/archive-value.ts'
import { columnTypes } from '../../../src/storage/sql/layout.ts'

interface Row {
  /** What a default or seed may be, and what not. */
  readonly written: readonly [good: readonly unknown[], bad: readonly unknown[]]
  /** What a payload gives and what is stored of it: booleans as 1 and 0, big integers as they are selected. */
  readonly checked: readonly (readonly [given: unknown, stored: StoredValue])[]
  /** What is wrong with it, or with the attribute's one date. */
  readonly refused: readonly (readonly [given: unknown, fault: string])[]
  readonly cast: readonly (readonly [given: unknown, value: ScalarValue])[]
  readonly castRefused: readonly unknown[]
  /** The first stored value of `checked` in JSON, and as JavaScript has it. */
  readonly answered: readonly [json: string, decoded: unknown]
}

const wrong = (type: string, shown: string): string =>
  `field must be a \`${type}\` type, but the final value was: \`${shown}\`.`
const notANumber = (shown: string): string =>
  `field must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${shown}\`).`

const text: Row = {
  written: [
    ['', 'text'],
    [5, true, null, [], {}],
  ],
  checked: [
    ['a "b"', 'a "b"'],
    ['', ''],
  ],
  refused: [
    [5, wrong('string', '5')],
    ['a\0', 'field must not contain NUL characters'],
  ],
  cast: [
    ['a', 'a'],
    [5, '5'],
    [true, 'true'],
  ],
  castRefused: [],
  answered: ['"a \\"b\\""', 'a "b"'],
}
const decimal: Row = {
  written: [
    [0, 1.5],
    ['1.5', Number.NaN, Number.POSITIVE_INFINITY],
  ],
  checked: [
    [1.5, 1.5],
    ['2', 2],
    [[3], 3],
    [-0, 0],
  ],
  refused: [
    ['', notANumber('""')],
    [[1, 2], notANumber('[\n  "1",\n  "2"\n]')],
    [null, notANumber('null')],
  ],
  cast: [
    ['1.5', 1.5],
    ['Infinity', null],
  ],
  castRefused: ['', 'a', true],
  answered: ['1.5', 1.5],
}
const moment: Row = {
  written: [
    ['2024-03-01T10:00:00Z', '2024-03-01', 1_700_000_000_000, '1700000000000'],
    ['tomorrow', '2024-13-01', true],
  ],
  checked: [
    ['2024-03-01T10:00:00+02:00', Date.UTC(2024, 2, 1, 8)],
    [1_700_000_000_000, 1_700_000_000_000],
  ],
  refused: [['tomorrow', 'Invalid format, expected a timestamp or an ISO date']],
  cast: [['2024-03-01', Date.UTC(2024, 2, 1)]],
  castRefused: ['tomorrow', true],
  answered: ['"2024-03-01T08:00:00.000Z"', '2024-03-01T08:00:00.000Z'],
}

const rows: Readonly<Record<ScalarType, Row>> = {
  string: text,
  text,
  richtext: text,
  password: { ...text, answered: ['null', undefined] },
  uid: {
    ...text,
    written: [
      ['', 'a-b_c.d~E9'],
      ['a b', 'ä', 5],
    ],
    checked: [['a-b', 'a-b']],
    refused: [
      ['a b', 'field must match the following: "/^[A-Za-z0-9-_.~]*$/"'],
      [5, wrong('string', '5')],
    ],
    answered: ['"a-b"', 'a-b'],
  },
  email: {
    ...text,
    written: [['a@b.example'], ['a', 'a@', '@b', 'a b@c', 5]],
    checked: [['a@b.example', 'a@b.example']],
    refused: [
      ['', 'field cannot be empty'],
      ['a', 'field must be a valid email'],
      [5, wrong('string', '5')],
    ],
    answered: ['"a@b.example"', 'a@b.example'],
  },
  enumeration: {
    ...text,
    written: [
      ['any text', 1],
      [1.5, true],
    ],
    checked: [['dear', 'dear']],
    refused: [['free', 'field must be one of the following values: cheap, dear, ']],
    answered: ['"dear"', 'dear'],
  },
  integer: {
    ...decimal,
    written: [
      [0, -3, 2 ** 40],
      [1.5, '1', Number.NaN, 2 ** 60],
    ],
    checked: [
      [5, 5],
      ['2', 2],
    ],
    refused: [
      [1.5, 'field must be an integer'],
      [2 ** 60, 'field must be between -9007199254740991 and 9007199254740991'],
    ],
    answered: ['5', 5],
  },
  float: decimal,
  decimal,
  biginteger: {
    written: [
      [5, '9223372036854775807', '-9223372036854775808', '+1'],
      ['9223372036854775808', '1.5', '', 1.5, true, ' 1'],
    ],
    checked: [
      ['9223372036854775807', '9223372036854775807'],
      [' +5 ', '5'],
    ],
    refused: [
      [1.5, 'field must be a valid integer'],
      ['9223372036854775808', 'field must be between -9223372036854775808 and 9223372036854775807'],
    ],
    cast: [
      [' +5', 5n],
      ['1.5', null],
    ],
    castRefused: ['9223372036854775808'],
    answered: ['"9223372036854775807"', '9223372036854775807'],
  },
  boolean: {
    written: [
      [true, false],
      ['true', 0, 1],
    ],
    checked: [
      [true, 1],
      ['0', 0],
    ],
    refused: [['t', wrong('boolean', '"t"')]],
    cast: [
      ['t', true],
      [0, false],
    ],
    castRefused: ['yes', ''],
    answered: ['true', true],
  },
  date: {
    written: [['2024-02-29'], ['2023-02-29', '1.1.2024', 20240101]],
    checked: [['2024-02-29T10:00:00Z', '2024-02-29']],
    refused: [
      ['1.1.2024', 'Invalid format, expected yyyy-MM-dd'],
      [{}, 'Invalid format, expected yyyy-MM-dd'],
    ],
    cast: [['2024-02-29', '2024-02-29']],
    castRefused: ['2023-02-29'],
    answered: ['"2024-02-29"', '2024-02-29'],
  },
  time: {
    written: [
      ['18:30:00', '18:30:00.123'],
      ['18:30', '24:00:00', 1830],
    ],
    checked: [['18:30:00.5', '18:30:00.500']],
    refused: [
      ['18:30', 'Invalid time format, expected HH:mm:ss.SSS'],
      [1830, 'Expected a string, got a number'],
    ],
    cast: [['18:30:00', '18:30:00.000']],
    castRefused: ['24:00:00'],
    answered: ['"18:30:00.500"', '18:30:00.500'],
  },
  datetime: moment,
  timestamp: moment,
  json: {
    written: [[null, 1, 'text', [], {}], []],
    checked: [
      [{ b: [1] }, '{"b":[1]}'],
      ['text', '"text"'],
    ],
    refused: [[undefined, 'field must be a JSON value']],
    cast: [['a', '"a"']],
    castRefused: [],
    answered: ['{"b":[1]}', { b: [1] }],
  },
  blocks: {
    written: [[[]], ['text', {}]],
    checked: [[[], '[]']],
    refused: [['text', wrong('array', '"text"')]],
    cast: [['a', '"a"']],
    castRefused: [],
    answered: ['[]', []],
  },
}

const constraints: Constraints = {
  min: undefined,
  max: undefined,
  minLength: undefined,
  maxLength: undefined,
  regex: undefined,
  enum: ['cheap', 'dear'],
  private: false,
}

/** As a select gives what was written. */
function stored(type: AttributeType, value: ScalarValue): StoredValue | null {
  const encoded = sqliteDialect.encode(type.column, value)
  return typeof encoded === 'bigint' ? String(encoded) : encoded
}

describe.each(Object.entries(rows))('%s', (name, row) => {
  const type: AttributeType = attributeTypes[name as ScalarType]
  const check = (value: unknown) => type.check(constraints, 'field', value, false, 20)

  test('what the file may say', () => {
    const [good, bad] = row.written
    expect(good.filter((value) => type.wanted(value) !== undefined)).toEqual([])
    expect(bad.filter((value) => type.wanted(value) === undefined)).toEqual([])
  })

  test('what a payload may say', () => {
    for (const [given, expected] of row.checked) {
      const { value, ...more } = check(given)
      expect(more).toEqual({ faults: [] })
      expect(stored(type, value)).toBe(expected)
    }
    for (const [given, fault] of row.refused) {
      const { faults, dateFault } = check(given)
      expect(dateFault === undefined ? faults : [dateFault]).toEqual([fault])
    }
  })

  test('what a filter may say', () => {
    for (const [given, value] of row.cast) expect(type.cast(given, 'field')).toBe(value)
    for (const given of row.castRefused) expect(() => type.cast(given, 'field')).toThrow()
  })

  test('what is answered', () => {
    const [, value] = row.checked[0] ?? []
    if (value === undefined) throw new Error('nothing is checked')
    const [json, decoded] = row.answered
    expect(type.toJson(value)).toBe(json)
    expect(type.decode(value)).toEqual(decoded)
    if (type.secret) return
    expect(JSON.parse(json)).toEqual(decoded)
    expect(new Ajv({ validateFormats: false }).validate(type.jsonSchema, decoded)).toBe(true)
  })

  test('what an archive has', () => {
    const [, value] = row.checked[0] ?? []
    if (value === undefined) throw new Error('nothing is checked')
    const read = decodeArchiveValue(type.column, toArchive(type.column, value))
    expect(read === undefined ? undefined : sqliteDialect.encode(type.column, read)).toEqual(
      type.column === 'biginteger' ? BigInt(String(value)) : value,
    )
  })
})

test('every record says everything', () => {
  const keys = Object.keys(attributeTypes.string).sort()
  for (const [name, type] of Object.entries<AttributeType>(attributeTypes)) {
    expect(Object.keys(type).sort(), name).toEqual(keys)
    expect(columnTypes, name).toContain(type.column)
    expect(isScalarType(name)).toBe(true)
    // Ranges are said where they are read.
    expect('min' in type.config.keys, name).toBe(type.bound !== undefined)
  }
  expect(isScalarType('toString')).toBe(false)
})

test('a definition of the schema belongs to one form', () => {
  const forms = new Map<string, AttributeType['config']>()
  for (const { config } of Object.values<AttributeType>(attributeTypes)) {
    expect(forms.get(config.definition) ?? config).toBe(config)
    forms.set(config.definition, config)
  }
})

test('bounds, lengths and patterns', () => {
  const faultsOf = (type: ScalarType, value: unknown, limits: Partial<Constraints>, draft = false) =>
    attributeTypes[type].check({ ...constraints, ...limits }, 'field', value, draft, 20).faults
  const range = { min: 2, max: '4' }
  expect(faultsOf('integer', 1, range)).toEqual(['field must be greater than or equal to 2'])
  expect(faultsOf('decimal', 4.5, range)).toEqual(['field must be less than or equal to 4'])
  expect(faultsOf('biginteger', '5', range)).toEqual(['field must be less than or equal to 4'])
  expect(faultsOf('float', 3, range)).toEqual([])
  const length = { minLength: 2, maxLength: 3, regex: '^a' }
  expect(faultsOf('string', 'a', length)).toEqual(['field must be at least 2 characters'])
  expect(faultsOf('string', 'a', length, true)).toEqual([])
  expect(faultsOf('email', 'b@c.example', length)).toEqual([
    'field must be at most 3 characters',
    'field must match the following: "/^a/"',
  ])
  expect(faultsOf('string', 5, { private: true })).toEqual([wrong('string', '***')])
})

test('parseBigInteger keeps every digit', () => {
  expect(parseBigInteger('9007199254740993')).toBe(9007199254740993n)
  expect(parseBigInteger(' 1')).toBeUndefined()
})

test('the value of a moment is one that the type takes', () => {
  const found = Object.entries<AttributeType>(attributeTypes).flatMap(([name, { atMoment, wanted }]) => {
    const values = [0, 951_782_399_999, Date.UTC(9999, 11, 31, 23, 59, 59, 999)].map((moment) =>
      atMoment?.(moment),
    )
    return atMoment === undefined ? [] : [[name, values.map((value) => wanted(value))]]
  })
  const right = [undefined, undefined, undefined]
  expect(Object.fromEntries(found)).toEqual({ date: right, time: right, datetime: right, timestamp: right })
})
