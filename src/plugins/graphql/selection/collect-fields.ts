// Collects the fields of a selection set by response name (GraphQL specification, 6.3.2), with fragments,
// `@skip` and `@include` applied.

import {
  type DirectiveNode,
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

export type SelectionEnv = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues' | 'schema'>

export type FieldPlace = SelectionEnv & Pick<GraphQLResolveInfo, 'fieldNodes' | 'returnType'>

export interface CollectedFields {
  readonly fields: ReadonlyMap<string, readonly FieldNode[]>
  /** False if directives (`@skip`, `@include`) make the fields depend on the request. */
  readonly fixed: boolean
}

export function collectFields(
  sets: readonly (SelectionSetNode | undefined)[],
  typeName: string,
  env: SelectionEnv,
): CollectedFields {
  const fields = new Map<string, FieldNode[]>()
  const opened = new Set<string>()
  let fixed = true

  function isIncluded(node: { readonly directives?: readonly DirectiveNode[] }): boolean {
    if (node.directives === undefined || node.directives.length === 0) return true
    fixed = false
    const skip = getDirectiveValues(GraphQLSkipDirective, node, env.variableValues)
    if (skip?.['if'] === true) return false
    const include = getDirectiveValues(GraphQLIncludeDirective, node, env.variableValues)
    return include?.['if'] !== false
  }

  function applies(condition: string | undefined): boolean {
    if (condition === undefined || condition === typeName) return true
    const abstract = env.schema.getType(condition)
    const type = env.schema.getType(typeName)
    return isAbstractType(abstract) && isObjectType(type) && env.schema.isSubType(abstract, type)
  }

  function visit(set: SelectionSetNode): void {
    for (const node of set.selections) {
      if (!isIncluded(node)) continue
      if (node.kind === Kind.FIELD) {
        const key = getResponseName(node)
        const nodes = fields.get(key)
        if (nodes === undefined) fields.set(key, [node])
        else nodes.push(node)
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(node.typeCondition?.name.value)) visit(node.selectionSet)
      } else {
        const name = node.name.value
        const fragment = env.fragments[name]
        if (opened.has(name) || fragment === undefined) continue
        opened.add(name)
        if (applies(fragment.typeCondition.name.value)) visit(fragment.selectionSet)
      }
    }
  }

  for (const set of sets) if (set !== undefined) visit(set)
  return { fields, fixed }
}

export function getResponseName(node: FieldNode): string {
  return node.alias === undefined ? node.name.value : node.alias.value
}

/** Matches the field's name, whatever its alias. */
export function getSets(
  { fields }: CollectedFields,
  name: string,
): readonly (SelectionSetNode | undefined)[] {
  const sets: (SelectionSetNode | undefined)[] = []
  for (const nodes of fields.values()) {
    for (const node of nodes) if (node.name.value === name) sets.push(node.selectionSet)
  }
  return sets
}
