// Expands a relation under `data`: ids and names of entries, and nested entries.

import { isRecord } from '../../lib/is-record.ts'
import type { RelationAttribute } from '../attribute.ts'
import type { ContentType } from '../content-type.ts'
import { below, type DataRelation, type Draft, type Place } from './expansion.ts'
import { findDataType } from './find-data-type.ts'

type Set = (value: unknown) => void

/** `set` stores a single value's id when all entries are known. */
export function expandRelation(relation: DataRelation, value: unknown, place: Place, set: Set): unknown {
  if (!Array.isArray(value)) {
    expandOne(relation, value, place, set)
    return value
  }
  if (relation.cardinality === 'one' && value.length > 1) {
    place.expansion.fault('MOD087', place.path, `"${relation.name}" takes one entry, not ${value.length}`)
    return value
  }
  const list: unknown[] = []
  for (const [index, item] of value.entries()) {
    list.push(item)
    expandOne(relation, item, below(place, index), (id) => {
      list[index] = id
    })
  }
  return list
}

export function expandOne(relation: DataRelation, value: unknown, place: Place, set: Set): void {
  const { expansion, draft, path } = place
  const reference = { relation, value, path, from: draft, set }
  const type = isRecord(value) && !('id' in value) ? typeOfNested(relation, value, place) : undefined
  if (type === undefined) {
    expansion.references.push(reference)
    return
  }
  const entry = value as Readonly<Record<string, unknown>>
  const { __type: _, ...untyped } = entry
  const nested = expansion.nest(type, relation.target === undefined ? untyped : entry, path)
  expansion.references.push({ ...reference, nested })
  const other = getInverse(relation, place)
  if (other?.required === true && nested.data[other.name] === undefined) leadBack(other, nested, draft, place)
}

function typeOfNested(
  { target }: DataRelation,
  value: Readonly<Record<string, unknown>>,
  { expansion }: Place,
): ContentType | undefined {
  if (target !== undefined) return target
  const named = value['__type']
  return typeof named === 'string' ? findDataType(named, expansion.types) : undefined
}

/** For relations of the entry itself, not of its components. */
function getInverse({ name }: DataRelation, { draft }: Place): RelationAttribute | undefined {
  const attribute = draft.type.attributes.get(name)
  return attribute?.kind === 'relation' ? attribute.inverse : undefined
}

/** Sets a nested entry's required other side to the entry around it. */
function leadBack(
  relation: RelationAttribute,
  nested: Draft,
  around: Draft,
  { expansion, path }: Place,
): void {
  expansion.references.push({
    relation,
    value: undefined,
    nested: around,
    path,
    from: nested,
    set(id) {
      nested.data[relation.name] = id
    },
  })
}
