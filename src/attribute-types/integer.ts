// A whole number that JavaScript holds exactly.

import type { AttributeType } from './attribute-type.ts'
import { rangeKeys } from './config-keys.ts'
import { castNumber, checkNumber } from './number.ts'

export const integer: AttributeType = {
  config: {
    definition: 'integerAttribute',
    description: 'A whole number.',
    typeDescription: 'A whole number of up to 32 bits.',
    required: [],
    keys: rangeKeys({ type: 'integer' }),
  },
  example: undefined,
  wanted: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
  bound: Number,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  check(constraints, label, value) {
    return checkNumber(constraints, label, value, (cast) => {
      if (!Number.isInteger(cast)) return `${label} must be an integer`
      if (Number.isSafeInteger(cast)) return undefined
      return `${label} must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`
    })
  },
  cast: castNumber,
  yupType: 'number',
  search: 'number',
  column: 'integer',
  decode: (stored) => stored,
  toJson: String,
  graphql: 'Int',
  jsonSchema: { type: 'integer' },
  typeScript: { answered: 'number', taken: 'number' },
}
