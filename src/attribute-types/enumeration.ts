// One of a list of texts.

import type { AttributeType } from './attribute-type.ts'
import { defaultText } from './config-keys.ts'
import { bad, good } from './faults.ts'
import { asStored, textJson, wantedText } from './text.ts'

export const enumeration: AttributeType = {
  config: {
    definition: 'enumerationAttribute',
    description: 'One of a list of values.',
    typeDescription: 'One of a list of values.',
    required: ['enum'],
    keys: {
      default: { description: defaultText, type: 'string' },
      enum: {
        description: 'The values.',
        type: 'array',
        items: { type: 'string', minLength: 1 },
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
    },
  },
  example: '{ type: enumeration, enum: [cheap, fair, dear] }',
  wanted: wantedText,
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: true,
  check({ enum: values = [] }, label, value) {
    // Strapi's list ends with an empty value.
    return typeof value === 'string' && values.includes(value)
      ? good(value)
      : bad(`${label} must be one of the following values: ${values.join(', ')}, `)
  },
  cast: String,
  yupType: 'string',
  search: 'text',
  column: 'text',
  decode: asStored,
  toJson: textJson,
  graphql: 'enum',
  jsonSchema: { type: 'string' },
  typeScript: { answered: 'string', taken: 'string' },
}
