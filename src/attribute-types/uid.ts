// Unique text for URLs, made from another attribute if a payload has no value.

import type { AttributeType } from './attribute-type.ts'
import { lengthKeys, searchedKeys } from './config-keys.ts'
import { bad } from './faults.ts'
import { string } from './string.ts'

const CHARACTERS = /^[A-Za-z0-9\-_.~]*$/

export const uid: AttributeType = {
  ...string,
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
      ...searchedKeys,
      options: {
        description: 'Kept for Strapi: options of the slug that is made, such as `separator`.',
        type: 'object',
      },
    },
  },
  wanted: (value) =>
    typeof value === 'string' && CHARACTERS.test(value) ? undefined : 'text of letters, digits and "-_.~"',
  unique: 'always',
  slug: true,
  sluggable: false,
  check(constraints, label, value, draft, mostFaults) {
    const checked = string.check(constraints, label, value, draft, mostFaults)
    if (checked.faults.length > 0 || typeof value !== 'string') return checked
    return CHARACTERS.test(value) ? checked : bad(`${label} must match the following: "/^[A-Za-z0-9-_.~]*$/"`)
  },
}
