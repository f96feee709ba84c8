// Declares keys that several attribute types share; `npm run generate` writes them to
// schemas/cms.schema.json.

import type { JsonSchema } from './attribute-type.ts'

export const commonKeys: Readonly<Record<string, JsonSchema>> = {
  required: {
    description: 'Whether an entry must have a value to be published.',
    type: 'boolean',
    default: false,
  },
  private: {
    description: 'Whether the value is never answered, filtered or sorted by.',
    type: 'boolean',
    default: false,
  },
  renamedFrom: { $ref: '#/definitions/renamedAttribute' },
  displayName: { $ref: '#/definitions/displayName' },
  description: { $ref: '#/definitions/attributeHelp' },
  placeholder: { $ref: '#/definitions/placeholder' },
  configurable: {
    description: 'Kept for Strapi: whether its admin panel may edit this attribute.',
    type: 'boolean',
    default: true,
  },
  writable: {
    description: 'Whether payloads may set it; with `false`, what they give is ignored.',
    type: 'boolean',
    default: true,
  },
  readOnly: {
    description:
      'Whether clients may never set it: seeds and your own code may. A payload that gives it is a 400 (see `rest.strict`).',
    type: 'boolean',
    default: false,
  },
  writeOnce: {
    description:
      'Whether clients may set it only when they create the entry: an update that gives it is a 400.',
    type: 'boolean',
    default: false,
  },
  visible: {
    description:
      'Kept for Strapi: whether its admin panel, and what the content-type builder answers, show it.',
    type: 'boolean',
    default: true,
  },
  searchable: {
    description: 'Whether `_q` looks at it, if its values can be searched.',
    type: 'boolean',
    default: true,
  },
  pluginOptions: { $ref: '#/definitions/pluginOptions' },
}

export const scalarKeys = {
  unique: {
    description: 'Whether two entries may not have the same value.',
    type: 'boolean',
    default: false,
  },
  computed: {
    description:
      'Expression over the other values of the entry. The attribute is answered, filtered and sorted by, and stored nowhere. See docs/reference/attributes.md.',
    type: 'string',
    minLength: 1,
    maxLength: 4000,
    examples: ['first + " " + last'],
  },
  column: { description: 'Kept for Strapi: how its database stores the column.', type: 'object' },
} as const satisfies Record<string, JsonSchema>

export const defaultText = 'Value of an entry that gives none.'

export function buildRangeKeys(form: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return {
    default: { description: defaultText, ...form },
    min: { description: 'Smallest value.', ...form },
    max: { description: 'Largest value.', ...form },
  }
}

export const searchedKeys: Readonly<Record<string, JsonSchema>> = {
  index: {
    description:
      '`text`: an index for `$contains`, `$startsWith`, `$endsWith` and `_q` of three characters and more; `_q` then orders by relevance. See docs/reference/attributes.md.',
    type: 'string',
    enum: ['text'],
  },
}

export const lengthKeys: Readonly<Record<string, JsonSchema>> = {
  minLength: { description: 'Fewest characters.', type: 'integer', minimum: 0 },
  maxLength: { description: 'Most characters.', type: 'integer', minimum: 1 },
  regex: {
    description: 'Regular expression that a value must match.',
    type: 'string',
    format: 'regex',
    examples: ['^[A-Z]{3}-\\d{2}$'],
  },
}
