// Plans comparisons of the number of related entries.

import type { Comparison } from '../../expressions/expression.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import {
  type ComponentAttribute,
  isToMany,
  type MediaAttribute,
  type RelationAttribute,
} from '../../model/attribute.ts'
import type { Schema } from '../../model/content-type.ts'
import { SIZE } from '../operators.ts'
import { countPredicate, type PlanContext, slot } from '../planning.ts'
import type { Condition } from '../read-plan.ts'
import { ALWAYS, all } from './condition-logic.ts'
import { getShownBehind } from './plan-visibility.ts'

const SIZES: ReadonlyMap<string, Comparison> = new Map([
  ['$eq', '=='],
  ['$ne', '!='],
  ['$lt', '<'],
  ['$lte', '<='],
  ['$gt', '>'],
  ['$gte', '>='],
])

/** `filters[comments][$size][$gte]=3`. Throws ValidationError. */
export function planSize(
  planning: PlanContext,
  attribute: RelationAttribute | MediaAttribute | ComponentAttribute,
  target: Schema,
  given: unknown,
): Condition {
  const name = `${SIZE} of ${attribute.name}`
  if (!isToMany(attribute)) throw new ApiError('ValidationError', `Operator ${name} needs a relation to many`)
  const conditions = Object.entries(isRecord(given) ? given : { $eq: given }).map(([key, operand]) => {
    const operator = SIZES.get(key)
    if (operator === undefined)
      throw new ApiError('ValidationError', `Operator ${name} takes ${[...SIZES.keys()].join(', ')}`)
    const number = typeof operand === 'string' && operand.trim() !== '' ? Number(operand) : operand
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw new ApiError('ValidationError', `Operator ${name} needs a number`)
    countPredicate(planning)
    const left = { kind: 'links', attribute, only: getShownBehind(planning, target) } as const
    const right = { kind: 'slot', slot: slot(planning, number), column: 'float' } as const
    return { kind: 'compareValues', operator, left, right } as const
  })
  return all(conditions) ?? ALWAYS
}
