// Reads the arguments of a field from the variables of a request, by a function made once for each field of an operation.
// What may be wrong is left to graphql-js, which says what is wrong with it.

import {
  BREAK,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  getArgumentValues,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql'

type Values = Readonly<Record<string, unknown>>

/** Returns undefined for a value that is missing or may be wrong. */
type Read = (variables: Values) => unknown

export type ReadArguments = (variables: Values) => Record<string, unknown>

/** An argument, or a field of an input object. */
interface Taken {
  readonly name: string
  readonly type: GraphQLInputType
  readonly defaultValue?: unknown
}

interface Given {
  readonly name: { readonly value: string }
  readonly value: ValueNode
}

interface Part extends Taken {
  readonly read: Read
  /** The name of the variable that is the value; undefined: it is another. */
  readonly variable: string | undefined
}

export function createArgumentsReader(field: GraphQLField<unknown, unknown>, node: FieldNode): ReadArguments {
  const parts = partsOf(field.args, node.arguments ?? [])
  return (variables) => {
    const args: Record<string, unknown> = {}
    return readParts(parts, variables, args) ? args : getArgumentValues(field, node, variables)
  }
}

function partsOf(taken: readonly Taken[], given: readonly Given[]): readonly Part[] {
  return taken.flatMap(({ name, type, defaultValue }): readonly Part[] => {
    const value = given.find((each) => each.name.value === name)?.value
    if (value === undefined && defaultValue === undefined && !isNonNullType(type)) return []
    const read: Read = value === undefined ? () => defaultValue : readerOf(value, type)
    const variable = value?.kind === Kind.VARIABLE ? value.name.value : undefined
    return [{ name, type, defaultValue, read, variable }]
  })
}

/** Returns false where graphql-js has to look. */
function readParts(parts: readonly Part[], variables: Values, into: Record<string, unknown>): boolean {
  for (const { name, type, defaultValue, read, variable } of parts) {
    const value = read(variables)
    if (value !== undefined) into[name] = value
    // As if nothing were written there.
    else if (variable === undefined || Object.hasOwn(variables, variable)) return false
    else if (defaultValue !== undefined) into[name] = defaultValue
    else if (isNonNullType(type)) return false
  }
  return true
}

function readerOf(node: ValueNode, type: GraphQLInputType): Read {
  if (node.kind === Kind.VARIABLE) {
    const { value: name } = node.name
    const required = isNonNullType(type)
    return (variables) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      return required && value === null ? undefined : value
    }
  }
  if (!hasVariables(node)) {
    const value: unknown = valueFromAST(node, type)
    // Users' code may change an object that it is given: each request gets one of its own.
    return isObject(value) ? () => valueFromAST(node, type) : () => value
  }
  const inner = getNullableType(type)
  if (node.kind !== Kind.OBJECT || !isInputObjectType(inner) || inner.isOneOf)
    return (variables) => valueFromAST(node, type, variables)
  const parts = partsOf(Object.values(inner.getFields()), node.fields)
  return (variables) => {
    const value: Record<string, unknown> = Object.create(null)
    return readParts(parts, variables, value) ? value : undefined
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function hasVariables(node: ValueNode): boolean {
  let found = false
  visit(node, {
    Variable() {
      found = true
      return BREAK
    },
  })
  return found
}
