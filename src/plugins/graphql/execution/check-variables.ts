// Counts list elements in variables before graphql-js coerces them, which takes at least a microsecond per
// field and element.

import {
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { isRecord } from '../../../lib/is-record.ts'

type Values = Readonly<Record<string, unknown>>

export function findVariablesFault(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Values,
  most: number,
): GraphQLError | undefined {
  let left = most

  function count(value: unknown, type: GraphQLInputType): boolean {
    if (isNonNullType(type)) return count(value, type.ofType)
    if (isListType(type)) {
      if (!Array.isArray(value)) return count(value, type.ofType)
      left -= value.length
      return left >= 0 && value.every((element) => count(element, type.ofType))
    }
    if (!isInputObjectType(type) || !isRecord(value)) return true
    const fields = type.getFields()
    return Object.entries(value).every(([name, part]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return field === undefined || count(part, field.type)
    })
  }

  for (const definition of variableDefinitions) {
    const { value: name } = definition.variable.name
    const type = typeOfVariable(schema, definition)
    if (type === undefined || !Object.hasOwn(given, name) || count(given[name], type)) continue
    const message = `Too many elements in the lists of variables, counted to "$${name}": at most ${most} are allowed`
    return new GraphQLError(message, { nodes: definition })
  }
  return undefined
}

/** Most operations have no list variables, and thus no elements to count. */
export function mayHoldLists(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  const seen = new Set<GraphQLInputType>()
  const holds = (type: GraphQLInputType): boolean => {
    if (isNonNullType(type)) return holds(type.ofType)
    if (isListType(type)) return true
    if (!isInputObjectType(type) || seen.has(type)) return false
    seen.add(type)
    return Object.values(type.getFields()).some((field) => holds(field.type))
  }
  return variableDefinitions.some((definition) => {
    const type = typeOfVariable(schema, definition)
    return type !== undefined && holds(type)
  })
}

/** The document is validated, so the type is an input type. */
function typeOfVariable(
  schema: GraphQLSchema,
  { type }: VariableDefinitionNode,
): GraphQLInputType | undefined {
  return typeFromAST(schema, type as Parameters<typeof typeFromAST>[1]) as GraphQLInputType | undefined
}
