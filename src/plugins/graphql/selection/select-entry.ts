// The selection below an entry, a component or a zone -> what to read: columns, and members with their arguments.
// Cached by document.

import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isUnionType,
  type SelectionSetNode,
} from 'graphql'
import type { Attribute } from '../../../model/attribute.ts'
import { factsOf } from '../fields/field-facts.ts'
import { collectFields, type SelectionEnv, setsOf } from './collect-fields.ts'

type NonScalar = Exclude<Attribute, { readonly kind: 'scalar' }>

export interface SelectedMember {
  /** The response name: the field's name or its alias. */
  readonly key: string
  readonly attribute: NonScalar
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
  /** By object type: one for a relation or component, one for each type in a zone. */
  readonly levels: ReadonlyMap<string, SelectedLevel>
}

export interface SelectedLevel {
  /** Names of the attributes to read; undefined: all, because users' code may look at any of them. */
  readonly columns: readonly string[] | undefined
  readonly members: readonly SelectedMember[]
  /** Whether every request with this document selects the same. */
  readonly fixed: boolean
}

/** Fields of the object type `type`, which shows an entry or component. */
function selectLevel(
  sets: readonly (SelectionSetNode | undefined)[],
  type: GraphQLObjectType,
  env: SelectionEnv,
): SelectedLevel {
  const collected = collectFields(sets, type.name, env)
  const columns = new Set<string>()
  const members: SelectedMember[] = []
  let everything = false
  let { fixed } = collected
  const fields = type.getFields()
  for (const [key, nodes] of collected.fields) {
    const [node] = nodes
    const field = node === undefined ? undefined : fields[node.name.value]
    if (node === undefined || field === undefined) continue
    const { attribute, custom } = factsOf(field)
    if (custom === true) everything = true
    if (attribute === undefined) {
      if (field.name !== 'id') everything = true
    } else if (attribute.kind === 'scalar') columns.add(attribute.name)
    else if (custom !== true) {
      const levels = selectMember(nodes, field, env)
      for (const level of levels.values()) fixed &&= level.fixed
      members.push({ key, attribute, field, node, levels })
    }
  }
  return { columns: everything ? undefined : [...columns], members, fixed }
}

/** What the field of a relation, component or zone selects, for each type that can be its value. */
export function selectMember(
  nodes: readonly FieldNode[],
  field: Pick<GraphQLField<unknown, unknown>, 'type'>,
  env: SelectionEnv,
): ReadonlyMap<string, SelectedLevel> {
  const sets = nodes.map(({ selectionSet }) => selectionSet)
  const type = getNamedType(field.type)
  if (isUnionType(type)) {
    return new Map(type.getTypes().map((each) => [each.name, selectLevel(sets, each, env)]))
  }
  if (!isObjectType(type)) return new Map()
  return new Map([selectBelow(sets, type, env)])
}

/** Goes through `data` and `attributes` to the fields of the entry; a component has no such envelope. */
export function selectBelow(
  sets: readonly (SelectionSetNode | undefined)[],
  type: GraphQLObjectType,
  env: SelectionEnv,
): [string, SelectedLevel] {
  let at = type
  let below = sets
  let fixed = true
  for (const name of ['data', 'attributes']) {
    const next = at.getFields()[name]
    const inner = next === undefined ? undefined : getNamedType(next.type)
    if (!isObjectType(inner) || factsOf(next as GraphQLField<unknown, unknown>).attribute !== undefined) break
    const collected = collectFields(below, at.name, env)
    fixed &&= collected.fixed
    below = setsOf(collected, name)
    at = inner
  }
  const level = selectLevel(below, at, env)
  return [at.name, fixed ? level : { ...level, fixed: false }]
}
