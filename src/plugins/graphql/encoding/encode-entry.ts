// Makes an encoder from the selection below an answer: for entries, in an envelope or not, components and dynamic zones. It
// walks the selection in the same way as the plan was made from it.

import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isUnionType } from 'graphql'
import { encodeOnce } from '../../../content/rows/encode-once.ts'
import { type EntryRow, idOf, type MemberValue, type MixedRow } from '../../../content/rows/entry.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { nameOfComponent, nameOfType } from '../../../model/naming.ts'
import type { PopulatePlan, ReadPlan } from '../../../plan/read-plan.ts'
import { Unencodable } from '../fields/encode-field.ts'
import { factsOf } from '../fields/field-facts.ts'
import { contextOfEncoder, shownEntries } from '../selection/cut-lists.ts'
import { isEnvelope } from '../selection/select-entry.ts'
import { createLeafEncoder } from './encode-leaf.ts'
import {
  createObjectEncoder,
  type Encode,
  type EncodeEnv,
  encodeList,
  encodeNull,
  type SelectedField,
  type SelectionSets,
} from './encode-object.ts'

/** Encodes an entry with or without an envelope, or null. */
export function createOneEncoder(
  sets: SelectionSets,
  type: GraphQLObjectType,
  plan: ReadPlan,
  env: EncodeEnv,
): Encode<EntryRow | null> {
  if (!isEnvelope(type)) {
    const encode = createEntryEncoder(sets, type, plan, env)
    return (entry) => (entry === null ? 'null' : encode(entry))
  }
  return createObjectEncoder(sets, type, env, (selected) => {
    if (factsOf(selected.field).shows !== 'entry') return unknown(selected)
    const encode = createEntryEncoder(selected.sets, objectBehind(selected.field), plan, selected.env)
    return (entry) => (entry === null ? 'null' : encode(entry))
  })
}

/** Encodes the entries of an answer that holds a list. */
export function createEntriesEncoder(
  { field, sets, env }: Pick<SelectedField, 'field' | 'sets' | 'env'>,
  plan: ReadPlan,
): Encode<readonly EntryRow[]> {
  const encode = createEntryEncoder(sets, objectBehind(field), plan, env)
  return (entries) => encodeList(entries, encode)
}

const encodeId: Encode<EntryRow> = (entry) => `"${idOf(entry)}"`

/** Encodes an entry, its attributes, or a component. */
export function createEntryEncoder(
  sets: SelectionSets,
  type: GraphQLObjectType,
  plan: ReadPlan,
  env: EncodeEnv,
): Encode<EntryRow> {
  const encode = createObjectEncoder<EntryRow>(sets, type, env, (selected) => {
    const { attribute, shows } = factsOf(selected.field)
    if (shows === 'id') return encodeId
    if (shows === 'attributes')
      return createEntryEncoder(selected.sets, objectBehind(selected.field), plan, selected.env)
    if (attribute === undefined) return unknown(selected)
    if (attribute.kind === 'scalar') return createColumnEncoder(selected, attribute, plan)
    return createMemberEncoder(selected, plan)
  })
  return encodeOnce(encode)
}

function createColumnEncoder(
  selected: SelectedField,
  attribute: ScalarAttribute,
  { columns }: ReadPlan,
): Encode<EntryRow> {
  const { field } = selected
  const type = getNamedType(field.type)
  const index = columns.findIndex(({ name }) => name === attribute.name)
  if (index === -1 || !isLeafType(type)) return unknown(selected)
  const encode = createLeafEncoder(attribute, type)
  return ({ row, at }) => {
    const value = row[at + 1 + index]
    return value === null || value === undefined ? encodeNull(field) : encode(value)
  }
}

function createMemberEncoder(selected: SelectedField, plan: ReadPlan): Encode<EntryRow> {
  const index = plan.populate.findIndex(({ key }) => key === selected.key)
  const populate = plan.populate[index]
  if (populate === undefined) return unknown(selected)
  const encode = createValueEncoder(selected, populate)
  return ({ members }) => encode(members[index] ?? null)
}

function createValueEncoder(selected: SelectedField, populate: PopulatePlan): Encode<MemberValue> {
  const { field, sets, env } = selected
  switch (populate.kind) {
    case 'relation': {
      const { plan } = populate
      const type = objectBehind(field)
      if (!populate.many) return createOneEncoder(sets, type, plan, env) as Encode<MemberValue>
      const encode = isEnvelope(type)
        ? createObjectEncoder<readonly EntryRow[]>(sets, type, env, (inner) =>
            factsOf(inner.field).shows === 'entries' ? createEntriesEncoder(inner, plan) : unknown(inner),
          )
        : createEntriesEncoder(selected, plan)
      return encodeShown(encode, env) as Encode<MemberValue>
    }
    case 'component': {
      const encode = createEntryEncoder(sets, objectBehind(field), populate.plan, env)
      if (populate.many)
        return encodeShown<EntryRow>((rows) => encodeList(rows, encode), env) as Encode<MemberValue>
      return (value) => (value === null ? encodeNull(field) : encode(value as EntryRow))
    }
    case 'zone': {
      const encoders = populate.plans.map(({ component, plan }) =>
        createEntryEncoder(sets, memberType(selected, nameOfComponent(component)), plan, env),
      )
      const encode = createMixedEncoder(encoders)
      return (value) => encodeList(value as readonly MixedRow[], encode)
    }
    case 'morph': {
      const encoders = populate.plans.map(({ type, plan }) =>
        createEntryEncoder(sets, memberType(selected, nameOfType(type)), plan, env),
      )
      const encode = createMixedEncoder(encoders)
      if (populate.many) return (value) => encodeList(value as readonly MixedRow[], encode)
      return (value) => {
        const [first] = value as readonly MixedRow[]
        return first === undefined ? encodeNull(field) : encode(first)
      }
    }
  }
}

function encodeShown<T>(encode: Encode<readonly T[]>, env: EncodeEnv): Encode<readonly T[]> {
  const path = (): readonly string[] => env.path
  return (rows) => encode(shownEntries(rows, env.limits, contextOfEncoder(), path))
}

function createMixedEncoder(encoders: readonly Encode<EntryRow>[]): Encode<MixedRow> {
  return ({ level, entry }) => {
    const encode = encoders[level]
    if (encode === undefined) throw new Unencodable(`nothing shows level ${level}`)
    return encode(entry)
  }
}

function objectBehind(field: SelectedField['field']): GraphQLObjectType {
  const type = getNamedType(field.type)
  if (!isObjectType(type)) throw new Unencodable(`${field.name} shows no object`)
  return type
}

/** The member of a union that is called `name`. */
function memberType({ field }: SelectedField, name: string): GraphQLObjectType {
  const union = getNamedType(field.type)
  const type = isUnionType(union) ? union.getTypes().find((each) => each.name === name) : undefined
  if (type === undefined) throw new Unencodable(`${field.name} shows no ${name}`)
  return type
}

function unknown({ field }: SelectedField): never {
  throw new Unencodable(field.name)
}
