// Text for URLs, unique, made from another attribute where a payload has none.

import type { AttributeType } from './attribute-type.ts'
import { lengthKeys } from './config-keys.ts'
import { bad } from './faults.ts'
import { asStored, checkText, textJson } from './text.ts'

const CHARACTERS = /^[A-Za-z0-9\-_.~]*$/

export const uid: AttributeType = {
  config: {
    definition: 'uidAttribute',
    description: 'Text for URLs, unique, made from another attribute.',
    typeDescription: 'An identifier for URLs.',
    required: [],
    keys: {
      default: { description: 'Text that it is made from when there is no other.', type: 'string' },
      targetField: {
        description: 'Attribute that it is made from when an entry gives none.',
        type: 'string',
        minLength: 1,
        examples: ['title'],
      },
      ...lengthKeys,
      options: {
        description: 'Kept for Strapi: options of the slug that is made, such as `separator`.',
        type: 'object',
      },
    },
  },
  example: undefined,
  wanted: (value) =>
    typeof value === 'string' && CHARACTERS.test(value) ? undefined : 'text of letters, digits and "-_.~"',
  bound: undefined,
  unique: 'always',
  secret: false,
  slug: true,
  sluggable: false,
  check(constraints, label, value, draft) {
    const checked = checkText(constraints, label, value, draft)
    if (checked.faults.length > 0 || typeof value !== 'string') return checked
    return CHARACTERS.test(value) ? checked : bad(`${label} must match the following: "/^[A-Za-z0-9-_.~]*$/"`)
  },
  cast: String,
  yupType: 'string',
  search: 'text',
  column: 'text',
  decode: asStored,
  toJson: textJson,
  graphql: 'String',
  jsonSchema: { type: 'string' },
  typeScript: { answered: 'string', taken: 'string' },
}
