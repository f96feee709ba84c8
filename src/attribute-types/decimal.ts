// float and decimal: numbers with a fraction.

import type { AttributeType } from './attribute-type.ts'
import { rangeKeys } from './config-keys.ts'
import { castNumber, checkNumber } from './number.ts'

export const float: AttributeType = {
  config: {
    definition: 'decimalAttribute',
    description: 'A number with a fraction.',
    typeDescription: 'A number: `float` as computers count, `decimal` for amounts.',
    required: [],
    keys: rangeKeys({ type: 'number' }),
  },
  example: undefined,
  wanted: (value) => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'),
  bound: Number,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  check: (constraints, label, value) => checkNumber(constraints, label, value),
  cast: castNumber,
  yupType: 'number',
  search: 'number',
  column: 'float',
  decode: Number,
  toJson: String,
  graphql: 'Float',
  jsonSchema: { type: 'number' },
  typeScript: { answered: 'number', taken: 'number' },
}

export const decimal: AttributeType = { ...float, column: 'decimal' }
