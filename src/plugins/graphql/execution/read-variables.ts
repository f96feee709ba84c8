// Coerces variables as graphql-js does (GraphQL specification, 6.1.2), within limits.

import {
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import { findVariablesFault, mayHoldLists } from './check-variables.ts'
import type { OperationLimits } from './operation-limits.ts'

type Values = Readonly<Record<string, unknown>>

type ReadVariables = (
  operation: OperationDefinitionNode,
  given: Values,
) => { readonly coerced: Values; readonly errors?: never } | { readonly errors: readonly GraphQLError[] }

export function createVariablesReader(
  schema: GraphQLSchema,
  limits: Pick<OperationLimits, 'elements' | 'errors'>,
  hideSuggestions: boolean,
): ReadVariables {
  const counted = new WeakMap<OperationDefinitionNode, boolean>()
  const counts = (operation: OperationDefinitionNode): boolean => {
    const known = counted.get(operation) ?? mayHoldLists(schema, operation)
    counted.set(operation, known)
    return known
  }
  return (operation, given) => {
    const { variableDefinitions = [] } = operation
    if (variableDefinitions.length === 0) return { coerced: {} }
    const tooMuch = counts(operation)
      ? findVariablesFault(schema, operation, given, limits.elements)
      : undefined
    if (tooMuch !== undefined) return { errors: [tooMuch] }
    return getVariableValues(schema, variableDefinitions, given, {
      maxErrors: limits.errors - 1,
      hideSuggestions,
    })
  }
}
