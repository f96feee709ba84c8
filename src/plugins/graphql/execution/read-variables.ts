// Reads the variables of a request as graphql-js coerces them (GraphQL specification, 6.1.2), within limits.

import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import { variablesFault } from './check-variables.ts'
import type { OperationLimits } from './operation-limits.ts'

type Values = Readonly<Record<string, unknown>>

export type ReadVariables = (
  operation: OperationDefinitionNode,
  given: Values,
) => { readonly coerced: Values; readonly errors?: never } | { readonly errors: readonly GraphQLError[] }

export function createVariablesReader(
  schema: GraphQLSchema,
  limits: Pick<OperationLimits, 'elements' | 'errors'>,
  hideSuggestions: boolean,
): ReadVariables {
  return (operation, given) => {
    const { variableDefinitions = [] } = operation
    if (variableDefinitions.length === 0) return { coerced: {} }
    const tooMuch = variablesFault(schema, operation, given, limits.elements)
    if (tooMuch !== undefined) return { errors: [tooMuch] }
    return getVariableValues(schema, variableDefinitions, given, {
      maxErrors: limits.errors - 1,
      hideSuggestions,
    })
  }
}
