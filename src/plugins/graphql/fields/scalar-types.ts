// The scalar and the filter input of an attribute's values in GraphQL.

import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import type { GraphqlLeaf } from '../../../attribute-types/attribute-type.ts'
import { attributeTypes, buildTable } from '../../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { buildOperatorFields, pathFilters } from './operator-fields.ts'
import { GraphqlDate, GraphqlDateTime, GraphqlJson, GraphqlLong, GraphqlTime } from './scalars.ts'

const scalars = {
  String: GraphQLString,
  Int: GraphQLInt,
  Float: GraphQLFloat,
  Boolean: GraphQLBoolean,
  Long: GraphqlLong,
  Date: GraphqlDate,
  Time: GraphqlTime,
  DateTime: GraphqlDateTime,
  JSON: GraphqlJson,
  // Filters of an enum use the stored texts.
  enum: GraphQLString,
} as const satisfies Record<GraphqlLeaf, GraphQLScalarType>

export const scalarOfType = buildTable(({ graphql }): GraphQLScalarType => scalars[graphql])

export function hasEnum({ type }: ScalarAttribute): boolean {
  return attributeTypes[type].graphql === 'enum'
}

function filterInput(scalar: GraphQLScalarType): GraphQLInputObjectType {
  const list = new GraphQLList(scalar)
  const input: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${scalar.name}FilterInput`,
    fields: () => ({
      and: { type: list },
      or: { type: list },
      not: { type: input },
      ...buildOperatorFields(scalar),
      ...(scalar === GraphqlJson && pathFilters),
    }),
  })
  return input
}

const filterInputs = new Map(
  [GraphQLID, ...new Set(Object.values(scalars))].map((scalar) => [scalar, filterInput(scalar)]),
)

export function buildFilterInput(scalar: GraphQLScalarType): GraphQLInputObjectType {
  const input = filterInputs.get(scalar)
  if (input === undefined) throw new TypeError(`no filter input for ${scalar.name}`)
  return input
}
