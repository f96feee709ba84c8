// Which scalar and which filter input an attribute's values have in GraphQL: one row a type.

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
import type { ScalarType } from '../../../model/attribute.ts'
import { GraphqlDate, GraphqlDateTime, GraphqlJson, GraphqlLong, GraphqlTime } from './scalars.ts'

/** An enumeration has a type of its own; its filter takes the stored texts. */
export const scalarOfType = {
  string: GraphQLString,
  text: GraphQLString,
  richtext: GraphQLString,
  blocks: GraphqlJson,
  email: GraphQLString,
  password: GraphQLString,
  uid: GraphQLString,
  integer: GraphQLInt,
  biginteger: GraphqlLong,
  float: GraphQLFloat,
  decimal: GraphQLFloat,
  boolean: GraphQLBoolean,
  date: GraphqlDate,
  time: GraphqlTime,
  datetime: GraphqlDateTime,
  timestamp: GraphqlDateTime,
  json: GraphqlJson,
  enumeration: GraphQLString,
} as const satisfies Record<ScalarType, GraphQLScalarType>

const one = [
  ...['eq', 'eqi', 'ne', 'nei', 'startsWith', 'endsWith', 'contains', 'notContains', 'containsi'],
  ...['notContainsi', 'gt', 'gte', 'lt', 'lte'],
]
const many = ['in', 'notIn', 'between']

function filterInput(scalar: GraphQLScalarType): GraphQLInputObjectType {
  const list = new GraphQLList(scalar)
  const input: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${scalar.name}FilterInput`,
    fields: () => ({
      and: { type: list },
      or: { type: list },
      not: { type: input },
      ...Object.fromEntries(one.map((name) => [name, { type: scalar }])),
      null: { type: GraphQLBoolean },
      notNull: { type: GraphQLBoolean },
      ...Object.fromEntries(many.map((name) => [name, { type: list }])),
    }),
  })
  return input
}

const filterInputs = new Map<GraphQLScalarType, GraphQLInputObjectType>(
  [
    ...[GraphQLID, GraphQLBoolean, GraphQLString, GraphQLInt, GraphqlLong, GraphQLFloat],
    ...[GraphqlDate, GraphqlTime, GraphqlDateTime, GraphqlJson],
  ].map((scalar) => [scalar, filterInput(scalar)]),
)

export function filterInputOf(scalar: GraphQLScalarType): GraphQLInputObjectType {
  const input = filterInputs.get(scalar)
  if (input === undefined) throw new TypeError(`no filter input for ${scalar.name}`)
  return input
}
