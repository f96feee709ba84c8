// Limits computed attributes and checks to the entry's own stored values: related entries may change without
// a write of this one.

import type { ExpressionFault, Scope, Shape, Type } from '../expressions/expression.ts'
import { type Attribute, isToMany, type Schema } from './attribute.ts'
import { explainNotComputed, getAttribute, typeOfScalar } from './expression-scope.ts'
import type { ComponentSource, TypeSource } from './type-source.ts'

/** The schema's stored attributes must have been built. `components`: include components' values. */
export function ownScope(schema: Schema, source: SchemaSource, components: boolean): Scope {
  const shape = ownShape(schema, components)
  const declared = new Map(source.attributes.map(({ name, config }) => [name, config]))
  const entry: Shape = {
    ...shape,
    member: (name) => {
      if (declared.get(name)?.computed !== undefined) return explainNotComputed(name)
      return shape.member(name)
    },
  }
  return { entry, variables: new Map() }
}

type SchemaSource = Pick<TypeSource | ComponentSource, 'attributes'>

/** Whether the fault only follows from that of a stored attribute, which was therefore not built. */
export function isFollowUp(
  text: string,
  { range }: ExpressionFault,
  schema: Schema,
  source: SchemaSource,
): boolean {
  const name = text.slice(...range)
  const declared = source.attributes.find((one) => one.name === name)
  return declared !== undefined && declared.config.computed === undefined && !schema.attributes.has(name)
}

function ownShape(schema: Schema, components: boolean): Shape {
  return {
    name: schema.uid,
    member: (name) => {
      const attribute = getAttribute(schema, name)
      return attribute === undefined ? undefined : getType(attribute, components)
    },
    get names() {
      const system =
        'systemAttributes' in schema ? (schema.systemAttributes as ReadonlyMap<string, Attribute>) : []
      const all = new Map<string, Attribute>([...schema.attributes, ...system])
      return [
        'id',
        ...[...all].filter(([, one]) => typeof getType(one, components) === 'object').map(([name]) => name),
      ]
    },
  }
}

function getType(attribute: Attribute, components: boolean): Type | string {
  switch (attribute.kind) {
    case 'scalar':
      return typeOfScalar(attribute)
    case 'component': {
      if (!components)
        return `"${attribute.name}" is a component, and only values of the entry itself can be used`
      const shape = ownShape(attribute.component, true)
      return isToMany(attribute) ? { kind: 'entries', shape } : { kind: 'entry', shape }
    }
    case 'relation':
      return `"${attribute.name}" is a relation, and only values of the entry itself can be used`
    case 'media':
      return `"${attribute.name}" holds files, and only values of the entry itself can be used`
    case 'dynamiczone':
      return `"${attribute.name}" is a dynamic zone, which expressions cannot follow`
  }
}
