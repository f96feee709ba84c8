// Converts a stored value into the form that the GraphQL type of its field serializes.

import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLID,
  type GraphQLLeafType,
  type GraphQLScalarType,
} from 'graphql'
import type { GraphqlLeaf } from '../../../attribute-types/attribute-type.ts'
import { attributeTypes } from '../../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { decodeValue } from '../../../query/rows/to-object.ts'
import type { SqlValue } from '../../../storage/sql/statement.ts'
import { getEnumName, getEnumValue } from '../graphql-names.ts'
import { hasEnum, scalarOfType } from './scalar-types.ts'

const PLAIN: ReadonlySet<GraphqlLeaf> = new Set<GraphqlLeaf>(['String', 'Boolean', 'Date', 'Time', 'JSON'])

/** The function returns the serialized value, null, or the field's error. */
export function finishLeaf(
  attribute: ScalarAttribute,
  schema: string,
): (value: SqlValue | undefined) => unknown {
  if (hasEnum(attribute)) return finishEnum(attribute, getEnumName(schema, attribute.name))
  if (PLAIN.has(attributeTypes[attribute.type].graphql)) return (value) => decodeValue(attribute, value)
  const type: GraphQLScalarType = scalarOfType[attribute.type]
  return (value) => {
    const decoded = decodeValue(attribute, value)
    if (decoded === null) return null
    try {
      return type.serialize(decoded)
    } catch (error) {
      return error
    }
  }
}

function finishEnum(attribute: ScalarAttribute, name: string): (value: SqlValue | undefined) => unknown {
  const names = new Map((attribute.enum ?? []).map((value) => [value, getEnumValue(value)]))
  return (value) => {
    if (value === null || value === undefined) return null
    const text = String(value)
    return (
      names.get(text) ?? new GraphQLError(`Enum "${name}" cannot represent value: ${JSON.stringify(text)}`)
    )
  }
}

const serializers = new Map<string, unknown>(
  Object.values(scalarOfType).map(({ name, serialize }) => [name, serialize]),
)

/** False when users' code has replaced the scalar's `serialize`. */
export function isOwnLeaf(attribute: ScalarAttribute, type: GraphQLLeafType): boolean {
  if (hasEnum(attribute) && type instanceof GraphQLEnumType) {
    return type.serialize === GraphQLEnumType.prototype.serialize
  }
  // A documentId is text that the schema calls an ID.
  if (type === GraphQLID) return attribute.type === 'string'
  return type.name === scalarOfType[attribute.type].name && type.serialize === serializers.get(type.name)
}
