// Turns the selection below an entry, component or zone into columns and populated fields; cached by
// document.

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
import { resolveFacts, type ShownPart } from '../fields/field-facts.ts'
import { type CollectedFields, collectFields, getSets, type SelectionEnv } from './collect-fields.ts'

type NonScalar = Exclude<Attribute, { readonly kind: 'scalar' }>

export interface SelectedField {
  /** The alias or name of the field. */
  readonly key: string
  readonly attribute: NonScalar
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
  /** Keyed by object type; a zone has several. */
  readonly levels: ReadonlyMap<string, SelectedLevel>
}

export interface SelectedLevel {
  /** Undefined: all attributes, because users' code may read any of them. */
  readonly columns: readonly string[] | undefined
  readonly populated: readonly SelectedField[]
  readonly fixed: boolean
  /** Selected of the entry, at it or in its envelope. */
  readonly extras?: ReadonlySet<EntryExtra>
}

/** Facts about an entry that are none of its attributes. */
const EXTRAS = ['version', 'highlights'] as const

type EntryExtra = (typeof EXTRAS)[number]

function getExtra(field: GraphQLField<unknown, unknown>): EntryExtra | undefined {
  const { shows } = resolveFacts(field)
  return EXTRAS.find((one) => one === shows)
}

function selectLevel(
  sets: readonly (SelectionSetNode | undefined)[],
  type: GraphQLObjectType,
  env: SelectionEnv,
): SelectedLevel {
  const collected = collectFields(sets, type.name, env)
  const columns = new Set<string>()
  const populated: SelectedField[] = []
  let everything = false
  const extras = new Set<EntryExtra>()
  let { fixed } = collected
  const fields = type.getFields()
  for (const [key, nodes] of collected.fields) {
    const [node] = nodes
    const field = node === undefined ? undefined : fields[node.name.value]
    if (node === undefined || field === undefined) continue
    const { attribute, custom, shows } = resolveFacts(field)
    if (custom === true) everything = true
    if (shows === 'itself') {
      const again = selectLevel(
        nodes.map(({ selectionSet }) => selectionSet),
        type,
        env,
      )
      fixed &&= again.fixed
      for (const name of again.columns ?? []) columns.add(name)
      everything ||= again.columns === undefined
      for (const extra of again.extras ?? []) extras.add(extra)
      populated.push(...again.populated)
      continue
    }
    const extra = getExtra(field)
    if (extra !== undefined) {
      extras.add(extra)
      continue
    }
    if (attribute === undefined) {
      if (field.name !== 'id') everything = true
    } else if (attribute.kind === 'scalar') columns.add(attribute.name)
    else if (custom !== true) {
      const levels = selectField(nodes, field, env)
      for (const level of levels.values()) fixed &&= level.fixed
      populated.push({ key, attribute, field, node, levels })
    }
  }
  return {
    columns: everything ? undefined : [...columns],
    populated: withoutClashes(populated),
    fixed,
    extras,
  }
}

/** Fields that are requested differently beside and below `data` are not read ahead. */
function withoutClashes(populated: readonly SelectedField[]): readonly SelectedField[] {
  const counts = new Map<string, number>()
  for (const { key } of populated) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts.size === populated.length ? populated : populated.filter(({ key }) => counts.get(key) === 1)
}

export function selectField(
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

const ENVELOPE: ReadonlySet<ShownPart | undefined> = new Set<ShownPart>(['entry', 'entries', 'attributes'])

/** Fields that lead to the entries; empty if the object is the entry itself. */
function buildEnvelope(type: GraphQLObjectType): readonly GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter((field) => ENVELOPE.has(resolveFacts(field).shows))
}

export function isEnvelope(type: GraphQLObjectType): boolean {
  return buildEnvelope(type).length > 0
}

/** Skips the envelope of an entry; a component has none. */
export function selectBelow(
  sets: readonly (SelectionSetNode | undefined)[],
  type: GraphQLObjectType,
  env: SelectionEnv,
): [string, SelectedLevel] {
  let at = type
  let below = sets
  let fixed = true
  const extras: EntryExtra[] = []
  for (let fields = buildEnvelope(at); fields.length > 0; fields = buildEnvelope(at)) {
    const inner = getNamedType(fields[0]?.type)
    if (!isObjectType(inner)) break
    const collected = collectFields(below, at.name, env)
    fixed &&= collected.fixed
    extras.push(...listExtras(collected, at))
    below = fields.flatMap(({ name }) => getSets(collected, name))
    at = inner
  }
  const level = selectLevel(below, at, env)
  return [
    at.name,
    fixed && extras.length === 0
      ? level
      : { ...level, fixed: fixed && level.fixed, extras: new Set([...(level.extras ?? []), ...extras]) },
  ]
}

function listExtras({ fields: collected }: CollectedFields, type: GraphQLObjectType): readonly EntryExtra[] {
  const fields = type.getFields()
  return [...collected.values()].flatMap(([node]) => {
    const field = node === undefined ? undefined : fields[node.name.value]
    return (field === undefined ? undefined : getExtra(field)) ?? []
  })
}
