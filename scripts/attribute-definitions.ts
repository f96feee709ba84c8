// The definitions of attributes in schemas/cms.schema.json, made from the records of src/attribute-types/.

import type { AttributeType, JsonSchema } from '../src/attribute-types/attribute-type.ts'
import { attributeTypes } from '../src/attribute-types/attribute-types.ts'
import { commonKeys, scalarKeys } from '../src/attribute-types/config-keys.ts'
import { attributeTypes as allTypes, incompleteShorthand } from '../src/config/attribute-types.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

/** Those that the schema itself says. */
const OTHERS = ['mediaAttribute', 'relationAttribute', 'componentAttribute', 'dynamiczoneAttribute']

/** The schema with the attribute types that there are. */
export function withAttributeTypes(schema: { readonly definitions: Definitions }): JsonSchema {
  const made = scalarDefinitions()
  const { attribute, ...others } = schema.definitions
  const stale = referencesIn(attribute?.['else']).filter((name) => !OTHERS.includes(name))
  const definitions = Object.entries(others).flatMap(([name, definition]) => {
    if (name === OTHERS[0]) return [...Object.entries(made), [name, definition]]
    if (name === 'relationAttribute')
      return [
        [name, definition],
        ['attribute', choice(attribute, made)],
      ]
    return stale.includes(name) ? [] : [[name, definition]]
  })
  return { ...schema, definitions: Object.fromEntries(definitions) }
}

/** An attribute is the name of a type, or a map whose `type` says which definition it follows. */
function choice(attribute: JsonSchema | undefined, made: Definitions): JsonSchema {
  const names = allTypes.filter((type) => incompleteShorthand(type) === undefined)
  const branches = [...Object.keys(made), ...OTHERS].map((name) => ({ $ref: `#/definitions/${name}` }))
  return Object.fromEntries(
    Object.entries({ ...attribute }).map(([key, value]) => {
      if (key === 'then') return [key, { enum: names }]
      return [key, key === 'else' ? { ...Object(value), oneOf: branches } : value]
    }),
  )
}

function referencesIn(schema: unknown): readonly string[] {
  const branches: readonly { readonly $ref: string }[] = Object(schema).oneOf
  return branches.map(({ $ref }) => $ref.replace('#/definitions/', ''))
}

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
  const { unique, column } = scalarKeys
  return {
    description,
    type: 'object',
    required: ['type', ...required],
    properties: {
      type: { description: typeDescription, type: 'string', enum: types },
      ...commonKeys,
      unique,
      ...keys,
      column,
    },
    additionalProperties: false,
  }
}

/** JSON as the schema is written: two spaces, and lists of plain values on one line. */
export function formatSchema(schema: JsonSchema): string {
  return `${format(schema, '', 0)}\n`
}

const WIDTH = 110

function format(value: unknown, indent: string, column: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = onOneLine(value)
    if (line !== undefined && column + line.length <= WIDTH) return line
    const items = value.map((item) => inner + format(item, inner, inner.length))
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  const entries = Object.entries(value).map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `
    return start + format(item, inner, start.length)
  })
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
}

/** Undefined for a list with objects in it. */
function onOneLine(value: unknown): string | undefined {
  if (!Array.isArray(value))
    return value !== null && typeof value === 'object' ? undefined : JSON.stringify(value)
  const items = value.map(onOneLine)
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
}
