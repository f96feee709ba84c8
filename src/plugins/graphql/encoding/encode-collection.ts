// Encodes a list: `<Name>EntityResponseCollection`, which is a page of entries with its numbers, or the entries alone.

import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql'
import type { Found } from '../../../content/rows/entry.ts'
import type { ReadPlan } from '../../../plan/read-plan.ts'
import { Unencodable } from '../fields/encode-field.ts'
import { factsOf } from '../fields/field-facts.ts'
import { paginationOf } from '../selection/graphql-page.ts'
import { isEnvelope } from '../selection/select-entry.ts'
import { createEntriesEncoder, createEntryEncoder } from './encode-entry.ts'
import {
  createObjectEncoder,
  type Encode,
  type EncodeEnv,
  encodeList,
  type SelectedField,
  type SelectionSets,
} from './encode-object.ts'

export function createCollectionEncoder(
  sets: SelectionSets,
  type: GraphQLObjectType,
  plan: ReadPlan,
  env: EncodeEnv,
): Encode<Found> {
  if (!isEnvelope(type)) {
    const encode = createEntryEncoder(sets, type, plan, env)
    return ({ entries }) => encodeList(entries, encode)
  }
  return createObjectEncoder<Found>(sets, type, env, (selected) => {
    switch (factsOf(selected.field).shows) {
      case 'entries': {
        const encode = createEntriesEncoder(selected, plan)
        return ({ entries }) => encode(entries)
      }
      case 'meta':
        return createPageEncoder(selected, (pagination) => ({ pagination }))
      case 'page':
        return createPageEncoder(selected, (pagination) => pagination)
      default:
        throw new Unencodable(selected.field.name)
    }
  })
}

function createPageEncoder(
  selected: SelectedField,
  shown: (pagination: ReturnType<typeof paginationOf>) => unknown,
): Encode<Found> {
  const encode = createValueEncoder(selected)
  return ({ page, total }) => {
    if (page === undefined || total === undefined) throw new Unencodable('there is no total')
    return encode(shown(paginationOf(page, total)))
  }
}

/** Encodes a small object of the server's own (such as a page), by the names of its properties. */
function createValueEncoder({ field, sets, env }: SelectedField): Encode<unknown> {
  const type = getNamedType(field.type)
  if (isLeafType(type)) return (value) => JSON.stringify(type.serialize(value))
  if (!isObjectType(type)) throw new Unencodable(field.name)
  return createObjectEncoder<unknown>(sets, type, env, (selected) => {
    const encode = createValueEncoder(selected)
    return (value) => encode((value as Readonly<Record<string, unknown>>)[selected.field.name])
  })
}
