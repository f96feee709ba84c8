// Finds the set of attributes by which an upsert finds its entry.

import { ApiError } from '../lib/errors/api-error.ts'
import type { AttributeSet } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'

export interface UniqueSet {
  /** Throws ValidationError unless the data has a value for each attribute. */
  buildFilters(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** `on`: the names of a set of `unique`, or of one unique attribute. Throws ValidationError. */
export function findUniqueSet(type: ContentType, on: unknown): UniqueSet {
  const sets = listUniqueSets(type)
  const names = (Array.isArray(on) ? on : [on]).map((name) =>
    typeof name === 'string' ? name : JSON.stringify(name),
  )
  const set = sets.find((one) => one.length === names.length && one.every(({ name }) => names.includes(name)))
  if (on === undefined || set === undefined)
    throw unknownSet(type, on === undefined ? undefined : names, sets)
  return { buildFilters: (data) => buildFilters(type, set, data) }
}

function listUniqueSets(type: ContentType): readonly AttributeSet[] {
  const alone = [...type.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'scalar' && attribute.unique && !attribute.private ? [[attribute]] : [],
  )
  return [...alone, ...type.uniqueSets.filter((set) => set.every((attribute) => !attribute.private))]
}

function unknownSet(
  { uid }: ContentType,
  names: readonly string[] | undefined,
  sets: readonly AttributeSet[],
): ApiError {
  const known = sets.map((set) =>
    JSON.stringify(set.length === 1 ? set[0]?.name : set.map(({ name }) => name)),
  )
  const message =
    names === undefined
      ? 'Missing "on": the unique attributes that find the entry'
      : `${names.join(' and ').slice(0, 100)} are not declared as unique`
  const help = known.length === 0 ? `${uid} has no unique attributes` : `unique are ${known.join(', ')}`
  return new ApiError('ValidationError', message).because({ message: help })
}

function buildFilters(
  { document }: ContentType,
  set: AttributeSet,
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const conditions = set.map((attribute) => {
    const value = data[attribute.name]
    const isGiven = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (!isGiven) {
      const message = `${attribute.name} must be given, because it finds the entry`
      throw new ApiError('ValidationError', message, {
        errors: [{ path: [attribute.name], message, name: 'ValidationError' }],
      })
    }
    if (attribute.kind === 'scalar') return [attribute.name, { $eq: value }]
    const id = document === undefined ? 'id' : 'documentId'
    return [attribute.name, { [id]: { $eq: value } }]
  })
  return Object.fromEntries(conditions) as Readonly<Record<string, unknown>>
}
