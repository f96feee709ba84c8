// Examines an operation before its files are received: its root fields, and whether a variable takes a file.

import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql'
import type { DocumentFacts } from './parse-document.ts'

const UPLOAD = 'Upload'

/** Includes all fragments, and fields that `@skip` may omit. */
export function listRootFields(
  schema: GraphQLSchema,
  { fragments }: DocumentFacts,
  { operation, selectionSet }: OperationDefinitionNode,
): ReadonlySet<GraphQLField<unknown, unknown>> {
  const known = schema.getRootType(operation)?.getFields() ?? {}
  const found = new Set<GraphQLField<unknown, unknown>>()
  const opened = new Set<SelectionSetNode>()
  const open = (set: SelectionSetNode | undefined): void => {
    if (set === undefined || opened.has(set)) return
    opened.add(set)
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) open(fragments[node.name.value]?.selectionSet)
      else if (node.kind === Kind.INLINE_FRAGMENT) open(node.selectionSet)
      else {
        const field = known[node.name.value]
        if (field !== undefined) found.add(field)
      }
    }
  }
  open(selectionSet)
  return found
}

export function takesFiles(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  name: string,
): boolean {
  const node = variableDefinitions.find(({ variable }) => variable.name.value === name)?.type
  const type = node === undefined ? undefined : (typeFromAST(schema, node) as GraphQLInputType | undefined)
  return type !== undefined && holdsUpload(type, new Set())
}

function holdsUpload(type: GraphQLInputType, seen: Set<string>): boolean {
  const named = getNamedType(type)
  if (named.name === UPLOAD) return true
  if (!isInputObjectType(named) || seen.has(named.name)) return false
  seen.add(named.name)
  return Object.values(named.getFields()).some((field) => holdsUpload(field.type, seen))
}
