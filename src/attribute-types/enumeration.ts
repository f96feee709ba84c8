// One of a list of texts.

import type { AttributeType } from './attribute-type.ts'
import { defaultText, searchedKeys } from './config-keys.ts'
import { bad, good } from './faults.ts'
import { string } from './string.ts'

export const enumeration: AttributeType = {
  ...string,
  config: {
    definition: 'enumerationAttribute',
    description: 'One of a list of values.',
    typeDescription: 'One of a list of values.',
    required: ['enum'],
    keys: {
      default: { description: defaultText, type: ['string', 'integer'] },
      enum: {
        description: 'The values. A number stands for its text.',
        type: 'array',
        items: { type: ['string', 'integer'], minLength: 1 },
        minItems: 1,
        uniqueItems: true,
        examples: [['cheap', 'fair', 'dear']],
      },
      enumName: {
        description: 'Name of the enum in GraphQL.',
        type: 'string',
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        patternErrorMessage: 'a GraphQL name has letters, digits and underscores',
      },
      ...searchedKeys,
    },
  },
  example: '{ type: enumeration, enum: [cheap, fair, dear] }',
  wanted: (value) =>
    typeof value === 'string' || Number.isInteger(value) ? undefined : 'text, or a whole number',
  checkVersion: undefined,
  check({ enum: values = [] }, label, value) {
    const text = typeof value === 'number' ? String(value) : value
    // Strapi's list ends with an empty value.
    return typeof text === 'string' && values.includes(text)
      ? good(text)
      : bad(`${label} must be one of the following values: ${values.join(', ')}, `)
  },
  graphql: 'enum',
}
