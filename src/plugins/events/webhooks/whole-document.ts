// Selects a document as Strapi 5 sends it to webhooks: relations, files and components one level deep,
// without private values.

import type { Attribute } from '../../../model/attribute.ts'
import type { Schema } from '../../../model/content-type.ts'
import type { PopulateOptions } from '../../../plan/params.ts'

const MAX_RELATED = 100

type Populate = ReadonlyMap<string, PopulateOptions>

const known = new WeakMap<Schema, Populate>()

export function populateWhole(schema: Schema): Populate {
  let populate = known.get(schema)
  if (populate === undefined) {
    populate = new Map(
      [...schema.attributes.values()].flatMap((attribute) => {
        const options = attribute.private ? undefined : buildOptions(attribute)
        return options === undefined ? [] : [[attribute.name, options] as const]
      }),
    )
    known.set(schema, populate)
  }
  return populate
}

function buildOptions(attribute: Attribute): PopulateOptions | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return undefined
    case 'component':
      return { populate: populateWhole(attribute.component) }
    case 'dynamiczone':
      return {
        on: new Map(attribute.components.map((one) => [one.uid, { populate: populateWhole(one) }])),
      }
    case 'relation':
      // As in Strapi, polymorphic relations and locale variants are omitted.
      return attribute.relation.startsWith('morph') || attribute.sameDocument !== undefined
        ? undefined
        : { limit: MAX_RELATED }
    case 'media':
      return { limit: MAX_RELATED }
  }
}

export function pickPublic(
  schema: Schema,
  entry: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) => {
      const attribute = schema.attributes.get(name)
      if (attribute === undefined) return [[name, value]]
      if (attribute.private || attribute.type === 'password') return []
      return [[name, publicMember(attribute, value)]]
    }),
  )
}

function publicMember(attribute: Attribute, value: unknown): unknown {
  if (attribute.kind === 'scalar' || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => publicMember(attribute, one))
  const held = value as Readonly<Record<string, unknown>>
  const schema = getHolder(attribute, held['__component'])
  return schema === undefined ? null : pickPublic(schema, held)
}

function getHolder(
  attribute: Exclude<Attribute, { kind: 'scalar' }>,
  component: unknown,
): Schema | undefined {
  if (attribute.kind === 'component') return attribute.component
  if (attribute.kind === 'dynamiczone') return attribute.components.find(({ uid }) => uid === component)
  return attribute.target
}
