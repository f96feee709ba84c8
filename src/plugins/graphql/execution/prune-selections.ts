// Applies `@skip` and `@include` before compilation: graphql-jit mixes up the conditions of fragments that
// are spread more than once.

import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'

type Values = Readonly<Record<string, unknown>>

export function listDecidingVariables(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

export function pruneSelections(set: SelectionSetNode, values: Values): SelectionSetNode {
  const selections: SelectionNode[] = []
  for (const selection of set.selections) {
    if (!isIncluded(selection, values)) continue
    const directives = selection.directives?.filter(({ name }) => !decides(name.value)) ?? []
    const { selectionSet } = selection.kind === Kind.FRAGMENT_SPREAD ? {} : selection
    selections.push({
      ...selection,
      directives,
      ...(selectionSet === undefined ? {} : { selectionSet: pruneSelections(selectionSet, values) }),
    } as SelectionNode)
  }
  return { ...set, selections }
}

function decides(name: string): boolean {
  return name === 'skip' || name === 'include'
}

function isIncluded(node: { readonly directives?: readonly DirectiveNode[] }, values: Values): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, values)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, values)?.['if'] !== false
}
