// True or false.

import type { AttributeType } from './attribute-type.ts'
import { defaultText } from './config-keys.ts'
import { bad, createInvalidValue, describeWrongType, good } from './faults.ts'

const WRITTEN: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [1, true],
  [false, false],
  ['false', false],
  ['0', false],
  [0, false],
])

const COMPARED: ReadonlyMap<unknown, boolean> = new Map([...WRITTEN, ['t', true], ['f', false]])

export const boolean: AttributeType = {
  config: {
    definition: 'booleanAttribute',
    description: 'True or false.',
    typeDescription: 'True or false.',
    required: [],
    keys: { default: { description: defaultText, type: ['boolean', 'null'] } },
  },
  example: undefined,
  wanted: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  atMoment: undefined,
  checkVersion: undefined,
  check(_constraints, label, value) {
    const cast = WRITTEN.get(value)
    return cast === undefined ? bad(describeWrongType(label, 'boolean', value)) : good(cast)
  },
  cast(value, name) {
    const cast = COMPARED.get(value)
    if (cast === undefined) throw createInvalidValue(name, 'true or false')
    return cast
  },
  yupType: 'boolean',
  search: 'never',
  inExpressions: 'bool',
  column: 'boolean',
  decode: (stored) => stored === 1,
  toJson: (stored) => (stored === 1 ? 'true' : 'false'),
  graphql: 'Boolean',
  jsonSchema: { type: 'boolean' },
  typeScript: { answered: 'boolean', taken: 'boolean' },
}
