// A whole number that JavaScript holds exactly.

import type { AttributeType } from './attribute-type.ts'
import { buildRangeKeys } from './config-keys.ts'
import { checkNumber, float } from './decimal.ts'

export const integer: AttributeType = {
  ...float,
  config: {
    definition: 'integerAttribute',
    description: 'A whole number.',
    typeDescription: 'A whole number of up to 32 bits.',
    required: [],
    keys: buildRangeKeys({ type: 'integer' }),
  },
  wanted: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
  check: (constraints, label, value) => checkNumber(constraints, label, value, true),
  inExpressions: 'int',
  column: 'integer',
  decode: (stored) => stored,
  graphql: 'Int',
  jsonSchema: { type: 'integer' },
}
