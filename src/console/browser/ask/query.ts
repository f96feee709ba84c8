// Converts a query of the builder to a URL.

import type { Attribute, Model, Type } from '../../described.ts'
import { buildStateParams, type Filter, isValueless } from '../data/load.ts'
import { getType, listAttributes, queryText } from '../data/values.ts'

/**
 * Populated fields at every depth: of relations and components by attribute, of dynamic zones by component.
 */
export interface Populate {
  readonly [name: string]: Populate
}

export interface RequestDraft {
  /** A filter's name may be a path: `chef.name`. */
  readonly filters: readonly Filter[]
  readonly sort: string
  readonly fields: readonly string[]
  readonly populate: Populate
  readonly pageSize: number
  readonly drafts: boolean
}

export const createQuery: RequestDraft = {
  filters: [],
  sort: '',
  fields: [],
  populate: {},
  pageSize: 10,
  drafts: false,
}

export function isShown({ private: hidden, type }: Attribute): boolean {
  return hidden !== true && type !== 'password'
}

/** Whether entries can be filtered or sorted by it. */
export function isComparable(attribute: Attribute): boolean {
  return attribute.kind === 'scalar' && isShown(attribute) && attribute.type !== 'json'
}

export function listMembers(
  { kind, target, component }: Attribute,
  model: Model,
): readonly Attribute[] | undefined {
  if (kind === 'component') return listAttributes(model, component ?? '')
  return kind === 'relation' ? getType(model, target)?.attributes : undefined
}

export function listAttributesAlong(type: Type, model: Model, path: string): readonly Attribute[] {
  const found: Attribute[] = []
  let members: readonly Attribute[] | undefined = type.attributes
  for (const name of path.split('.')) {
    const attribute: Attribute | undefined = members?.find((one) => one.name === name)
    if (attribute === undefined) break
    found.push(attribute)
    members = listMembers(attribute, model)
  }
  return found
}

export function getConditions(
  { filters }: RequestDraft,
  typed: (filter: Filter) => unknown,
): Record<string, unknown>[] {
  return filters
    .filter((filter) => filter.value !== '' || isValueless(filter))
    .map((filter) => {
      let condition: Record<string, unknown> = { [filter.operator]: typed(filter) }
      for (const part of filter.name.split('.').toReversed()) condition = { [part]: condition }
      return condition
    })
}

export function getAddress(type: Type, question: RequestDraft, model: Model): string {
  const { sort, fields, populate, pageSize, drafts } = question
  const filters = getConditions(question, (filter) => (isValueless(filter) ? 'true' : filter.value))
  const merged = filters.length > 1 ? { $and: filters } : filters[0]
  const single = type.kind === 'singleType'
  const query = queryText({
    ...(merged === undefined || single ? {} : { filters: merged }),
    ...(single ? {} : { sort }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(Object.keys(populate).length === 0
      ? {}
      : { populate: getPopulate(type.attributes, populate, model) }),
    ...(drafts && type.draftAndPublish ? buildStateParams(model, true) : {}),
    ...(single ? {} : { pagination: { pageSize } }),
  })
  return `${type.path}${query === '' ? '' : `?${query}`}`
}

function getPopulate(attributes: readonly Attribute[], populate: Populate, model: Model): unknown {
  const chosen = Object.entries(populate)
  if (chosen.every(([, below]) => Object.keys(below).length === 0)) return chosen.map(([name]) => name)
  return Object.fromEntries(
    chosen.map(([name, below]) => {
      const attribute = attributes.find((one) => one.name === name)
      const parts = Object.entries(below)
      if (attribute === undefined || parts.length === 0) return [name, 'true']
      if (attribute.kind === 'dynamiczone') {
        const on = (attribute.components ?? []).map((uid) => {
          const nested = below[uid] ?? {}
          const isLeaf = Object.keys(nested).length === 0
          return [uid, isLeaf ? 'true' : { populate: getPopulate(listAttributes(model, uid), nested, model) }]
        })
        return [name, { on: Object.fromEntries(on) }]
      }
      return [name, { populate: getPopulate(listMembers(attribute, model) ?? [], below, model) }]
    }),
  )
}
