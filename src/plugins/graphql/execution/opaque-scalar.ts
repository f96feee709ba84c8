// A schema -> the same with one more scalar, which passes on what it is given: the type of lifted arguments. Only the
// compiler looks it up; nobody who asks for the schema sees it.

import { GraphQLScalarType, type GraphQLSchema } from 'graphql'

/** No name of a schema may begin like this. */
export const OPAQUE = '__Opaque'

const scalar = new GraphQLScalarType({ name: 'Opaque', parseValue: (value) => value })

export function withOpaqueScalar(schema: GraphQLSchema): GraphQLSchema {
  const derived = Object.create(schema) as GraphQLSchema
  derived.getType = (name) => (name === OPAQUE ? scalar : schema.getType(name))
  return derived
}
