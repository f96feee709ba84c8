// Excludes operations that graphql-jit 0.8.9 miscompiles: its joined names may collide, and an error in
// `resolveType` or `isTypeOf` would end the process.

import {
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

interface MiscompiledOptions {
  readonly schema: GraphQLSchema
  /** Whether `resolveType` of the type is synchronous and never throws. */
  isSafeAbstract(type: GraphQLAbstractType): boolean
}

/** Including fields of every possible type, as the compiler writes them. */
const MAX_FIELDS = 6000

export function isMiscompiled(
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  { schema, isSafeAbstract }: MiscompiledOptions,
): boolean {
  const infos = new Map<string, string>()
  const resolvers = new Map<string, string>()
  let looked = 0
  let miscompiled = false

  function claim(names: Map<string, string>, name: string, owner: string): void {
    const known = names.get(name)
    if (known === undefined) names.set(name, owner)
    else if (known !== owner) miscompiled = true
  }

  function look(set: SelectionSetNode, type: GraphQLObjectType, path: readonly string[]): void {
    for (const selection of set.selections) {
      if (miscompiled) return
      if (selection.kind === Kind.FIELD) {
        looked += 1
        const { name, alias, selectionSet } = selection
        if (looked > MAX_FIELDS || /^idx\d/.test(alias?.value ?? '')) miscompiled = true
        if (name.value === '__typename') continue
        const field = type.getFields()[name.value]
        if (field === undefined || type.isTypeOf) {
          miscompiled = true
          return
        }
        const below = [...path, alias?.value ?? name.value]
        claim(infos, [...below].reverse().join('_'), below.join('.'))
        claim(resolvers, `${type.name}${field.name}`, `${type.name}.${field.name}`)
        if (selectionSet !== undefined) lookInto(selectionSet, getNamedType(field.type), below)
      } else {
        const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection
        if (inner !== undefined && applies(inner.typeCondition?.name.value, type)) {
          look(inner.selectionSet, type, path)
        }
      }
    }
  }

  function lookInto(set: SelectionSetNode, type: GraphQLNamedType, path: readonly string[]): void {
    if (isObjectType(type)) look(set, type, path)
    else if (!isAbstractType(type) || !isSafeAbstract(type)) miscompiled = true
    else for (const each of schema.getPossibleTypes(type)) look(set, each, [...path, each.name])
  }

  function applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true
    const named = schema.getType(condition)
    return isAbstractType(named) && schema.isSubType(named, type)
  }

  const root = schema.getRootType(operation.operation)
  if (root === undefined || root === null) return true
  look(operation.selectionSet, root, [])
  return miscompiled
}
