// The fields of a filter input, one for each operator.

import { GraphQLBoolean, type GraphQLInputFieldConfigMap, GraphQLList, type GraphQLScalarType } from 'graphql'
import { operators } from '../../../plan/operators.ts'

/** `scalar`: the type of the values that are compared. */
export function buildOperatorFields(scalar: GraphQLScalarType): GraphQLInputFieldConfigMap {
  const list = new GraphQLList(scalar)
  const operandTypes = { value: scalar, list, pair: list, truth: GraphQLBoolean } as const
  return Object.fromEntries(
    [...operators.values()].map(({ name, operand }) => [name.slice(1), { type: operandTypes[operand] }]),
  )
}
