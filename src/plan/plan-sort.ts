// Turns `sort` into keys. The id is always the last key, so that pages neither miss nor repeat an entry.

import { createInvalidParameter } from '../lib/errors/api-error.ts'
import { isToMany } from '../model/attribute.ts'
import { getSchemaBehind } from '../model/attribute-targets.ts'
import type { Schema } from '../model/content-type.ts'
import { assertJsonPath, planJsonPath } from './conditions/plan-json.ts'
import { getExistingBehind, getShownBehind } from './conditions/plan-visibility.ts'
import { findAttribute } from './find-attribute.ts'
import type { SortInput } from './params.ts'
import { createTooMuch, type PlanContext, planLimits } from './planning.ts'
import type { Condition, SortKey } from './read-plan.ts'
import { createUnusableName } from './unusable-name.ts'

export function planSort(
  planning: PlanContext,
  schema: Schema,
  inputs: readonly SortInput[],
  getBehind = getExistingBehind,
): readonly SortKey[] {
  if (inputs.length > planLimits.sortKeys) throw createTooMuch('sort keys', planLimits.sortKeys)
  const keys = inputs.flatMap((input) => planSortKey(planning, schema, input, getBehind))
  const sortsById = keys.some((key) => key.through.length === 0 && key.attribute === schema.id)
  return sortsById ? keys : [...keys, byId(schema)]
}

export function byId(schema: Schema): SortKey {
  return { through: [], attribute: schema.id, descending: false, only: new Map() }
}

function planSortKey(
  planning: PlanContext,
  schema: Schema,
  input: SortInput,
  getBehind: typeof getExistingBehind,
): readonly SortKey[] {
  if (input.path.length > planLimits.hops)
    throw createTooMuch('relations in one path of sort', planLimits.hops)
  const through: SortKey['through'][number][] = []
  const only = new Map<SortKey['through'][number], Condition>()
  let at = schema
  for (const [index, name] of input.path.entries()) {
    const before = through.at(-1)
    if (before !== undefined && isCount(before, at, input.path.slice(index))) {
      const shown = getShownBehind(planning, at)
      if (shown !== undefined) only.set(before, shown)
      return [{ through, attribute: at.id, counts: true, descending: input.descending, only }]
    }
    const attribute = findAttribute(planning, at, name)
    const last = index === input.path.length - 1
    if (attribute === undefined || attribute.kind === 'dynamiczone')
      throw createUnusableName(planning, at, name, 'sort')
    if (attribute.kind === 'scalar') {
      const key = { through, attribute, descending: input.descending, only }
      if (last) return [key]
      if (attribute.type !== 'json') throw createInvalidParameter(input.path[index + 1] ?? name)
      const path = input.path.slice(index + 1)
      assertJsonPath(attribute, path)
      // Numbers are sorted as numbers, other values by their text.
      return (['number', 'text'] as const).map((as) => ({
        ...key,
        value: { kind: 'json', attribute, path: planJsonPath(planning, attribute, path), as },
      }))
    }
    const target = getSchemaBehind(attribute)
    if (last || target === undefined) throw createUnusableName(planning, at, name, 'sort')
    through.push(attribute)
    if (through.filter(isToMany).length > planLimits.sortedToMany)
      throw createTooMuch('to-many relations in one path of sort', planLimits.sortedToMany)
    const existing = getBehind(planning, target)
    if (existing !== undefined) only.set(attribute, existing)
    at = target
  }
  throw createInvalidParameter(input.path.join('.'))
}

/** Whether the rest of a path is the number of the entries before it: an attribute of this name comes first. */
export function isCount(
  before: SortKey['through'][number],
  schema: Schema,
  [name, ...more]: readonly string[],
): boolean {
  return name === 'count' && more.length === 0 && isToMany(before) && !schema.attributes.has('count')
}
