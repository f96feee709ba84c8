// Any JSON value, stored as text.

import type { AttributeType } from './attribute-type.ts'
import { defaultText } from './config-keys.ts'
import { bad, good } from './faults.ts'

export const json: AttributeType = {
  config: {
    definition: 'jsonAttribute',
    description: 'Any JSON value, or blocks of rich text.',
    typeDescription: "`json` is any value, `blocks` the structure of Strapi's rich text editor.",
    required: [],
    keys: { default: { description: defaultText } },
  },
  example: undefined,
  wanted: () => undefined,
  bound: undefined,
  // Equal JSON values may differ in the order of their keys, so they cannot be compared as text.
  unique: 'never',
  secret: false,
  slug: false,
  sluggable: false,
  atMoment: undefined,
  checkVersion: undefined,
  check(_constraints, label, value) {
    const written = JSON.stringify(value)
    return written === undefined ? bad(`${label} must be a JSON value`) : good(written)
  },
  cast: (value) => JSON.stringify(value),
  yupType: 'mixed',
  search: 'never',
  inExpressions: undefined,
  column: 'json',
  decode: (stored) => JSON.parse(String(stored)),
  toJson: String,
  graphql: 'JSON',
  jsonSchema: {},
  typeScript: { answered: 'unknown', taken: 'unknown' },
}
