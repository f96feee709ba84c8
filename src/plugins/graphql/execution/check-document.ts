// Checks a document's limits before any nonlinear step, in linear time: each fragment is measured once, and
// one that spreads itself counts as empty.

import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { type OperationLimits, onceFault } from './operation-limits.ts'

interface CheckedDocument {
  readonly faults: readonly GraphQLError[]
  readonly fields: number
}

interface Measure {
  /** The depth of the deepest field, if this set has depth 0. */
  readonly height: number
  readonly fields: number
}

const EMPTY: Measure = { height: 0, fields: 0 }
const MAX_COUNT = 1e9

export function checkDocument(document: DocumentNode, limits: OperationLimits): CheckedDocument {
  const faults = countFaults(document, limits)
  const fragments = getFragments(document)
  const measures = measurer(fragments)
  let fields = 0
  for (const operation of document.definitions.filter(isOperation)) {
    const measure = measures(operation.selectionSet)
    fields = Math.max(fields, measure.fields)
    if (measure.fields > limits.fields) {
      const message = `the operation selects more than ${limits.fields} fields, with fragments expanded`
      faults.push(new GraphQLError(message, { nodes: operation }))
    } else if (limits.depth > 0 && measure.height > limits.depth) {
      faults.push(...depthFaults(operation, fragments, measures, limits))
    }
    faults.push(...rootFaults(operation, fragments, limits))
  }
  return { faults: faults.slice(0, limits.errors), fields }
}

function isOperation(node: DefinitionNode): node is OperationDefinitionNode {
  return node.kind === Kind.OPERATION_DEFINITION
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

function getFragments({ definitions }: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  }
  return fragments
}

function countFaults(document: DocumentNode, limits: OperationLimits): GraphQLError[] {
  const faults: GraphQLError[] = []
  let aliases = 0
  let directives = 0
  visit(document, {
    Field({ alias }) {
      if (alias === undefined) return
      aliases += 1
      if (aliases === limits.aliases + 1) {
        faults.push(
          new GraphQLError(`the document has more than ${limits.aliases} aliases`, { nodes: alias }),
        )
      }
      if (alias.value.startsWith('__')) faults.push(reserved('alias', alias.value, alias))
    },
    VariableDefinition({ variable: { name } }) {
      if (name.value.startsWith('__')) faults.push(reserved('variable', `$${name.value}`, name))
    },
    Directive(node) {
      directives += 1
      if (directives === limits.directives + 1) {
        const message = `the document has more than ${limits.directives} directives`
        faults.push(new GraphQLError(message, { nodes: node }))
      }
    },
  })
  return faults
}

/** `__proto__` would vanish from a result; the specification reserves names that begin with `__`. */
function reserved(what: string, name: string, nodes: NameNode): GraphQLError {
  return new GraphQLError(`the ${what} "${name}" begins with "__", which is reserved`, { nodes })
}

function measurer(fragments: Fragments): (set: SelectionSetNode) => Measure {
  const known = new Map<SelectionSetNode, Measure>()
  function measure(set: SelectionSetNode): Measure {
    const before = known.get(set)
    if (before !== undefined) return before
    known.set(set, EMPTY)
    let height = 0
    let fields = 0
    for (const selection of set.selections) {
      const below = setBelow(selection, fragments)
      const inner = below === undefined ? EMPTY : measure(below)
      const isField = selection.kind === Kind.FIELD
      fields += inner.fields + (isField ? 1 : 0)
      const nests = isField && below !== undefined
      if (!isField) height = Math.max(height, inner.height)
      else if (nests && !isIntrospection(selection)) height = Math.max(height, 1 + inner.height)
    }
    const result = { height, fields: Math.min(fields, MAX_COUNT) }
    known.set(set, result)
    return result
  }
  return measure
}

function setBelow(selection: SelectionNode, fragments: Fragments): SelectionSetNode | undefined {
  if (selection.kind !== Kind.FRAGMENT_SPREAD) return selection.selectionSet
  return fragments.get(selection.name.value)?.selectionSet
}

function isIntrospection(selection: SelectionNode): boolean {
  return selection.kind === Kind.FIELD && selection.name.value.startsWith('__')
}

function depthFaults(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  measure: (set: SelectionSetNode) => Measure,
  limits: OperationLimits,
): readonly GraphQLError[] {
  const faults: GraphQLError[] = []
  const message = `'${operation.name?.value ?? ''}' exceeds maximum operation depth of ${limits.depth}`
  const look = (set: SelectionSetNode, depth: number): void => {
    if (depth + measure(set).height <= limits.depth) return
    for (const selection of set.selections) {
      if (faults.length >= limits.errors) return
      if (depth > limits.depth) faults.push(new GraphQLError(message, { nodes: selection }))
      else if (!isIntrospection(selection)) {
        const below = setBelow(selection, fragments)
        if (below !== undefined) look(below, selection.kind === Kind.FIELD ? depth + 1 : depth)
      }
    }
  }
  look(operation.selectionSet, 0)
  return faults
}

function rootFaults(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  limits: OperationLimits,
): readonly GraphQLError[] {
  const { keys, once } = rootKeys(operation, fragments, limits)
  const faults: GraphQLError[] = []
  if (keys > limits.rootFields) {
    const message = `the operation has more than ${limits.rootFields} fields at its root`
    faults.push(new GraphQLError(message, { nodes: operation }))
  }
  if (once > 1) faults.push(new GraphQLError(onceFault(once), { nodes: operation }))
  return faults
}

function rootKeys(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  limits: Pick<OperationLimits, 'once'>,
): { readonly keys: number; readonly once: number } {
  const keys = new Set<string>()
  const once = new Set<string>()
  const opened = new Set<SelectionSetNode>()
  const look = (set: SelectionSetNode): void => {
    if (opened.has(set)) return
    opened.add(set)
    for (const selection of set.selections) {
      if (selection.kind !== Kind.FIELD) {
        const below = setBelow(selection, fragments)
        if (below !== undefined) look(below)
        continue
      }
      const name = selection.name.value
      const key = selection.alias?.value ?? name
      keys.add(key)
      if (operation.operation === 'mutation' && limits.once.has(name)) once.add(key)
    }
  }
  look(operation.selectionSet)
  return { keys: keys.size, once: once.size }
}

export function countOnce(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  limits: Pick<OperationLimits, 'once'>,
): number {
  return operation.operation === 'mutation' ? rootKeys(operation, getFragments(document), limits).once : 0
}
