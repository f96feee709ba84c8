// The definitions of attributes in the schema of cms.yaml, made from the records of src/attribute-types/.

import type { AttributeType, JsonSchema } from '../../src/attribute-types/attribute-type.ts'
import { attributeTypes } from '../../src/attribute-types/attribute-types.ts'
import { commonKeys, scalarKeys } from '../../src/attribute-types/config-keys.ts'
import { attributeTypes as allTypes, explainIncompleteShorthand } from '../../src/config/attribute-types.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

/** Those that the core's schema says itself. */
const OTHERS = [
  'mediaAttribute',
  'relationAttribute',
  'componentAttribute',
  'dynamiczoneAttribute',
  'computedAttribute',
]

/** The core's schema with the attribute types that there are. */
export function withAttributeTypes<T extends { readonly definitions: Definitions }>(schema: T): T {
  const made = scalarDefinitions()
  const { attribute, ...others } = schema.definitions
  const definitions = Object.entries(others).flatMap(([name, definition]) => {
    if (name === OTHERS[0]) return [...Object.entries(made), [name, definition]]
    const after = name === 'relationAttribute' ? [['attribute', choice(attribute, made)]] : []
    return [[name, definition], ...after]
  })
  return { ...schema, definitions: Object.fromEntries(definitions) }
}

/** An attribute is the name of a type, or a map whose `type` says which definition it follows. */
function choice(attribute: JsonSchema | undefined, made: Definitions): JsonSchema {
  const names = allTypes.filter((type) => explainIncompleteShorthand(type) === undefined)
  const branches = [...Object.keys(made), ...OTHERS].map((name) => ({ $ref: `#/definitions/${name}` }))
  return Object.fromEntries(
    Object.entries({ ...attribute }).map(([key, value]) => {
      if (key === 'then') return [key, { enum: names }]
      return [key, key === 'else' ? { ...Object(value), oneOf: branches } : value]
    }),
  )
}

const LIST = 'for several values write a list of components: "[{ value: string }]", or "json"'
/** What people write for a list of values, which no attribute of one value takes. */
const LISTS = { multiple: LIST, many: LIST, repeatable: LIST, items: LIST, array: LIST, list: LIST }

/** One for the types that are written alike. */
function scalarDefinitions(): Definitions {
  const types = Object.entries<AttributeType>(attributeTypes)
  return Object.fromEntries(
    types.map(([, { config }]) => {
      const named = types.filter(([, type]) => type.config === config).map(([name]) => name)
      return [config.definition, definitionOf(config, named)]
    }),
  )
}

function definitionOf(config: AttributeType['config'], types: readonly string[]): JsonSchema {
  const { description, typeDescription, required, keys } = config
  const { unique, computed, column } = scalarKeys
  return {
    description,
    type: 'object',
    elsewhere: LISTS,
    required: ['type', ...required],
    properties: {
      type: { description: typeDescription, type: 'string', enum: types },
      ...commonKeys,
      unique,
      ...keys,
      computed,
      column,
    },
    additionalProperties: false,
  }
}
