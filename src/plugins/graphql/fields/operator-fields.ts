// The fields of filter inputs: one for each operator, and for JSON those of its paths,
// `{ extra: { at: [{ path: "in.size", gt: 3 }] } }`.

import {
  GraphQLBoolean,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { operators } from '../../../plan/operators.ts'
import { GraphqlJson } from './scalars.ts'

/** `scalar`: the type of the values that are compared. */
export function buildOperatorFields(scalar: GraphQLScalarType): GraphQLInputFieldConfigMap {
  const list = new GraphQLList(scalar)
  const operandTypes = { value: scalar, list, pair: list, truth: GraphQLBoolean } as const
  return Object.fromEntries(
    [...operators.values()].map(({ name, operand }) => [name.slice(1), { type: operandTypes[operand] }]),
  )
}

const JsonPathFilterInput = new GraphQLInputObjectType({
  name: 'JSONPathFilterInput',
  fields: {
    path: { type: new GraphQLNonNull(GraphQLString), description: 'in.size' },
    ...buildOperatorFields(GraphqlJson),
  },
})

/** A field of the filter input of JSON. */
export const pathFilters: GraphQLInputFieldConfigMap = {
  at: { type: new GraphQLList(new GraphQLNonNull(JsonPathFilterInput)) },
}
