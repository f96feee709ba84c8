// Reads the variables of a request. Those that are plainly right are taken by a function made once for each operation;
// of all others graphql-js says what they are, or what is wrong.

import {
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  valueFromAST,
} from 'graphql'
import { isRecord } from '../../../util/is-record.ts'
import { typeOfVariable, variablesFault } from './check-variables.ts'
import type { OperationLimits } from './operation-limits.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns undefined for a value that may be wrong. */
type Read = (value: unknown) => unknown

export type ReadVariables = (
  operation: OperationDefinitionNode,
  given: Values,
) => { readonly coerced: Values; readonly errors?: never } | { readonly errors: readonly GraphQLError[] }

export function createVariablesReader(
  schema: GraphQLSchema,
  limits: Pick<OperationLimits, 'elements' | 'errors'>,
  hideSuggestions: boolean,
): ReadVariables {
  const readers = new WeakMap<OperationDefinitionNode, Read>()
  return (operation, given) => {
    let read = readers.get(operation)
    if (read === undefined) {
      read = readerOf(schema, operation)
      readers.set(operation, read)
    }
    const coerced = read(given)
    if (coerced !== undefined) return { coerced: coerced as Values }
    const tooMuch = variablesFault(schema, operation, given, limits.elements)
    if (tooMuch !== undefined) return { errors: [tooMuch] }
    const { variableDefinitions = [] } = operation
    return getVariableValues(schema, variableDefinitions, given, {
      maxErrors: limits.errors - 1,
      hideSuggestions,
    })
  }
}

const ASKS: Read = () => undefined

/** The same steps as those of graphql-js, for an operation whose variables hold no lists. */
function readerOf(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): Read {
  const members: Member[] = []
  for (const definition of variableDefinitions) {
    const { variable, defaultValue } = definition
    const type = typeOfVariable(schema, definition)
    const read = type === undefined ? ASKS : readerOfType(type, [])
    const otherwise: unknown = type && defaultValue && valueFromAST(defaultValue, type)
    if (type === undefined || read === ASKS || variable.name.value === '__proto__') return ASKS
    if (defaultValue !== undefined && otherwise === undefined) return ASKS
    // Users' code may change an object that it is given: each request gets one of its own.
    if (typeof otherwise === 'object' && otherwise !== null) return ASKS
    members.push({ name: variable.name.value, read, otherwise, required: isNonNullType(type) })
  }
  return (given) => {
    const coerced: Record<string, unknown> = {}
    try {
      return readMembers(members, given as Values, coerced, Object.hasOwn) ? coerced : undefined
    } catch {
      // A scalar refused its value.
      return undefined
    }
  }
}

interface Member {
  readonly name: string
  readonly read: Read
  /** The default; undefined: none. */
  readonly otherwise: unknown
  readonly required: boolean
}

function readMembers(
  members: readonly Member[],
  given: Values,
  into: Record<string, unknown>,
  has: (given: Values, name: string) => boolean,
): boolean {
  for (const { name, read, otherwise, required } of members) {
    if (has(given, name)) {
      const value = read(given[name])
      if (value === undefined) return false
      into[name] = value
    } else if (otherwise !== undefined) into[name] = otherwise
    else if (required) return false
  }
  return true
}

/** `within`: the types around it. */
function readerOfType(type: GraphQLInputType, within: readonly GraphQLInputType[]): Read {
  if (isNonNullType(type)) {
    const read = readerOfType(type.ofType, within)
    return read === ASKS ? ASKS : (value) => (value === null ? undefined : read(value))
  }
  if (isLeafType(type)) return (value) => (value === null ? null : type.parseValue(value))
  if (!isInputObjectType(type) || type.isOneOf || within.includes(type)) return ASKS
  const fields = Object.values(type.getFields())
  const members = fields.map(
    ({ name, type: inner, defaultValue }): Member => ({
      name,
      read: readerOfType(inner, [...within, type]),
      otherwise: defaultValue,
      required: isNonNullType(inner),
    }),
  )
  if (members.some(({ read }) => read === ASKS)) return ASKS
  const known = new Set(members.map(({ name }) => name))
  return (value) => {
    if (value === null) return null
    if (!isRecord(value) || Object.keys(value).some((name) => !known.has(name))) return undefined
    const coerced: Record<string, unknown> = {}
    return readMembers(members, value, coerced, isGiven) ? coerced : undefined
  }
}

function isGiven(given: Values, name: string): boolean {
  return given[name] !== undefined
}
