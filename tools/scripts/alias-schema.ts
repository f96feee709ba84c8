// The aliases of attribute types -> what editors complete them with, and which keys stand beside them.

import { attributeTypes, explainIncompleteShorthand } from '../../src/config/attribute-types.ts'
import type { Words } from '../../src/config/shorthand/shorthand.ts'
import type { Schema } from './generate-config-reference.ts'
import type { ShorthandSchema } from './with-shorthands.ts'

/** Keys that have a short form beside a type in its full form. */
const shortened: ReadonlySet<string> = new Set(['enumeration', 'uid', 'relation', 'component', 'dynamiczone'])

/**
 * Completes `shorthand`, of the core: an attribute's name may be an alias, with its description, and the map of a short form has
 * the keys of all types. `full` is the schema of the full form.
 */
export function withAliases(
  shorthand: ShorthandSchema,
  full: Schema,
  { attributeAliases }: Words,
): ShorthandSchema {
  const { attributeName, attributeMap, ...definitions } = shorthand.definitions ?? {}
  const aliases = Object.entries(attributeAliases).map(([name, { description }]) => ({
    const: name,
    description,
  }))
  const required = attributeTypes
    .filter((type) => explainIncompleteShorthand(type) === undefined)
    .map((type) => ({ const: `${type}!`, description: `\`${type}\`, and an entry must have a value.` }))
  const strict = attributeTypes.filter((type) => !shortened.has(type))
  const known = attributeMap?.properties ?? {}
  return {
    ...shorthand,
    definitions: {
      ...definitions,
      attributeName: { ...attributeName, anyOf: [...aliases, ...required, { type: 'string' }] },
      attributeMap: {
        ...attributeMap,
        properties: {
          ...known,
          ...keysOfTypes(full, known),
          // A type in its full form has the keys of that type only.
          type: { ...known['type'], not: { enum: strict } },
        },
      },
    },
  }
}

/** The keys of attributes of every type; one that types describe differently may be any of these. */
function keysOfTypes(
  full: Schema,
  known: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Schema>> {
  const forms = new Map<string, Map<string, Schema>>()
  for (const [name, { properties = {} }] of Object.entries(full.definitions ?? {})) {
    if (!/Attribute$/.test(name) || properties['type'] === undefined) continue
    for (const [key, schema] of Object.entries(properties)) {
      if (known[key] !== undefined) continue
      forms.set(key, (forms.get(key) ?? new Map()).set(JSON.stringify(schema), schema))
    }
  }
  return Object.fromEntries(
    [...forms].map(([key, schemas]) => {
      const [first = {}, ...others] = schemas.values()
      if (others.length === 0) return [key, first]
      return [key, { description: first.description ?? '', anyOf: [first, ...others] }]
    }),
  )
}
