// Replaces arguments by variables: graphql-jit 0.8.9 writes literals into its code, where one that looks like
// its date mark becomes code. This also hides recursive variable types, which exhaust its memory.

import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql'

type Values = Readonly<Record<string, unknown>>
type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

interface LiftedOperation {
  readonly operation: OperationDefinitionNode
  readonly fragments: Fragments
  /** By the names of the new variables. Throws GraphQLError where graphql-js would reject an argument's value. */
  getValues(variables: Values): Record<string, unknown>
}

interface Site {
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
  readonly names: readonly (readonly [argument: string, variable: string])[]
}

/** Undefined if the selection depends on actual values. `scalar`: the type of the new variables. */
export function liftArguments(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  schema: GraphQLSchema,
  scalar: string,
): LiftedOperation | undefined {
  const sites: Site[] = []
  const definitions: VariableDefinitionNode[] = []
  let lifted = true

  function newVariable(): string {
    const name = `a${definitions.length}`
    definitions.push({
      kind: Kind.VARIABLE_DEFINITION,
      variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
      type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: scalar } },
    })
    return name
  }

  function liftField(node: FieldNode, parent: GraphQLNamedType): FieldNode {
    if (node.name.value === '__typename') return node
    const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined
    if (field === undefined) {
      lifted = false
      return node
    }
    const named = getNamedType(field.type)
    const given = new Set((node.arguments ?? []).map(({ name }) => name.value))
    const names = field.args
      .filter(({ name, defaultValue }) => given.has(name) || !isPlain(defaultValue))
      .map(({ name }) => [name, newVariable()] as const)
    if (names.length > 0) sites.push({ field, node, names })
    const { selectionSet } = node
    return {
      ...node,
      arguments: names.map(([name, variable]) => argument(name, variable)),
      ...(selectionSet === undefined ? {} : { selectionSet: liftSet(selectionSet, named) }),
    }
  }

  function liftSet(set: SelectionSetNode, parent: GraphQLNamedType): SelectionSetNode {
    const selections = set.selections.map((selection): SelectionNode => {
      if (selection.kind === Kind.FIELD) return liftField(selection, parent)
      if (selection.kind === Kind.FRAGMENT_SPREAD) return selection
      return {
        ...selection,
        selectionSet: liftSet(selection.selectionSet, buildCondition(selection, parent)),
      }
    })
    return { ...set, selections }
  }

  function buildCondition(
    { typeCondition }: { readonly typeCondition?: { readonly name: { readonly value: string } } | undefined },
    parent: GraphQLNamedType,
  ): GraphQLNamedType {
    return typeCondition === undefined ? parent : (schema.getType(typeCondition.name.value) ?? parent)
  }

  const root = schema.getRootType(operation.operation)
  if (root === undefined || root === null) return undefined
  const selectionSet = liftSet(operation.selectionSet, root)
  const liftedFragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const [name, fragment] of Object.entries(fragments)) {
    const set = liftSet(fragment.selectionSet, buildCondition(fragment, root))
    liftedFragments[name] = { ...fragment, selectionSet: set }
  }
  if (!lifted) return undefined
  return {
    operation: { ...operation, variableDefinitions: definitions, selectionSet },
    fragments: liftedFragments,
    getValues: (variables) => resolveValues(sites, variables),
  }
}

function argument(name: string, variable: string): ArgumentNode {
  return {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
  }
}

/** Makes new objects for each request, because a resolver may change its arguments. */
function resolveValues(sites: readonly Site[], variables: Values): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const { field, node, names } of sites) {
    const args = getArgumentValues(field, node, variables)
    for (const [name, variable] of names) if (Object.hasOwn(args, name)) values[variable] = args[name]
  }
  return values
}

/** Whether a default value can be written into code as JSON. */
function isPlain(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return /^[\w .-]{0,100}$/.test(value) && !value.startsWith('__')
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0 && !(value instanceof Date)
}
