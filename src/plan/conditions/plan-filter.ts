// Turns `filters` into a Condition. Unknown, private and forbidden names give the same 400, so that a client
// cannot tell them apart; no filter is ever dropped.

import type { ScalarValue } from '../../attribute-types/attribute-type.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type {
  Attribute,
  ComponentAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../model/attribute.ts'
import type { Schema } from '../../model/content-type.ts'
import { castReadingJson, castText, castValue } from '../cast-value.ts'
import { findAttribute } from '../find-attribute.ts'
import { joiners, type Operator, operators, SIZE } from '../operators.ts'
import { countPredicate, createTooMuch, type PlanContext, planLimits } from '../planning.ts'
import type { Condition, PlanValue } from '../read-plan.ts'
import { createUnusableName } from '../unusable-name.ts'
import { ALWAYS, all, any, NEVER, negate, negateRelated, related, type Way } from './condition-logic.ts'
import {
  assertListLength,
  comparesId,
  createUnknownOperator,
  deeper,
  type FilterContext,
  isTruth,
} from './filter-place.ts'
import { planComparison } from './plan-comparison.ts'
import { planJson } from './plan-json.ts'
import { planSize } from './plan-size.ts'
import { getExistingBehind } from './plan-visibility.ts'

export function planFilter(planning: PlanContext, schema: Schema, input: unknown): Condition | undefined {
  return planEntryLevel({ planning, hops: 0, nesting: 0 }, schema, input)
}

function planEntryLevel(place: FilterContext, schema: Schema, input: unknown): Condition | undefined {
  if (!isRecord(input)) throw new ApiError('ValidationError', 'The filters parameter must be an object')
  const conditions: Condition[] = []
  for (const key of Object.keys(input)) {
    const condition = planKey(place, schema, key, input[key])
    if (condition !== undefined) conditions.push(condition)
  }
  return all(conditions)
}

function planKey(place: FilterContext, schema: Schema, key: string, value: unknown): Condition | undefined {
  if (key === '$and' || key === '$or') {
    if (!Array.isArray(value)) throw new ApiError('ValidationError', `Operator ${key} must be an array`)
    assertListLength(value)
    const inner = deeper(place)
    const conditions = value.map(
      (element) => planElement(inner, schema, key, element) ?? always(place.planning),
    )
    if (conditions.length === 0) return undefined
    return { kind: key === '$and' ? 'and' : 'or', conditions }
  }
  if (key === '$not') {
    const inner = deeper(place)
    const elements = Array.isArray(value) ? value : [value]
    assertListLength(elements)
    const negated = elements.flatMap((element) => {
      const condition = planElement(inner, schema, key, element)
      return condition === undefined ? [] : [negate(condition)]
    })
    return any(negated)
  }
  if (key.startsWith('$')) {
    throw operators.has(key)
      ? new ApiError('ValidationError', `Operator ${key} needs an attribute, as in filters[name][${key}]`)
      : createUnknownOperator(key)
  }
  const attribute = findAttribute(place.planning, schema, key)
  if (attribute === undefined) throw createUnusableName(place.planning, schema, key, 'filters')
  return planAttribute(place, schema, attribute, value)
}

function planElement(
  place: FilterContext,
  schema: Schema,
  joiner: string,
  element: unknown,
): Condition | undefined {
  if (Array.isArray(element)) {
    assertListLength(element)
    const inner = deeper(place)
    return all(element.flatMap((one) => planElement(inner, schema, joiner, one) ?? []))
  }
  if (!isRecord(element))
    throw new ApiError(
      'ValidationError',
      `Operator ${joiner} joins filters by name, as in filters[${joiner}][0][id]=1`,
    )
  return planEntryLevel(place, schema, element)
}

function planAttribute(
  place: FilterContext,
  schema: Schema,
  attribute: Attribute,
  value: unknown,
): Condition | undefined {
  const unusable = () => createUnusableName(place.planning, schema, attribute.name, 'filters')
  switch (attribute.kind) {
    case 'scalar':
      return planScalar(place, attribute, value)
    case 'relation':
      if (attribute.target === undefined) throw unusable()
      return planRelated(place, attribute, attribute.target, value)
    case 'media':
      return planRelated(place, attribute, attribute.target, value)
    case 'component':
      return planRelated(place, attribute, attribute.component, value)
    case 'dynamiczone':
      throw unusable()
  }
}

function planRelated(
  place: FilterContext,
  attribute: RelationAttribute | MediaAttribute | ComponentAttribute,
  target: Schema,
  value: unknown,
): Condition | undefined {
  if (place.hops >= planLimits.hops) throw createTooMuch('relations in one path of filters', planLimits.hops)
  countPredicate(place.planning)
  const inner: FilterContext = { ...place, hops: place.hops + 1 }
  if (isRecord(value) && SIZE in value) {
    const { [SIZE]: size, ...others } = value
    const counted = planSize(place.planning, attribute, target, size)
    return Object.keys(others).length === 0
      ? counted
      : all([counted, planRelated(place, attribute, target, others)].flatMap((one) => one ?? []))
  }
  const way: Way = { attribute, only: getExistingBehind(place.planning, target) }
  if (isRecord(value) && !comparesId(value)) {
    const condition = planEntryLevel(inner, target, value)
    return related(way, condition)
  }
  // `filters[author]=1`, `filters[author][$in][0]=1`, `filters[author][$null]=true`: the related entry's id.
  return planRelatedId(inner, way, target.id, value)
}

function planRelatedId(
  place: FilterContext,
  way: Way,
  id: ScalarAttribute,
  value: unknown,
): Condition | undefined {
  const none = negateRelated(way)
  if (value === null) return none
  if (!isRecord(value)) return related(way, planScalar(place, id, value))
  const conditions: Condition[] = []
  for (const [key, operand] of Object.entries(value)) {
    const operator = operators.get(key)
    if (operator?.kind === 'null' || (operator?.kind === 'equal' && operand === null)) {
      const isNull = operator.kind === 'null' ? isTruth(operand, key) !== operator.negated : !operator.negated
      conditions.push(isNull ? none : negate(none))
    } else if (operator !== undefined || joiners.has(key)) {
      const condition = related(way, planScalar(place, id, { [key]: operand }))
      if (condition !== undefined) conditions.push(condition)
    } else {
      throw new ApiError(
        'ValidationError',
        `Operators and attributes cannot be mixed in filters[${way.attribute.name}]`,
      )
    }
  }
  return all(conditions)
}

const IMPLICIT_EQUAL = operators.get('$eq')
const IMPLICIT_IN = operators.get('$in')

function planScalar(place: FilterContext, attribute: ScalarAttribute, value: unknown): Condition | undefined {
  if (Array.isArray(value)) return planOperator(place, attribute, IMPLICIT_IN, value)
  if (!isRecord(value)) return planOperator(place, attribute, IMPLICIT_EQUAL, value)
  const conditions: Condition[] = []
  for (const [key, operand] of Object.entries(value)) {
    if (key === '$not') {
      const inner = deeper(place)
      const elements = Array.isArray(operand) ? operand : [operand]
      assertListLength(elements)
      const negated = elements.flatMap((element) => {
        const condition = planScalar(inner, attribute, element)
        return condition === undefined ? [] : [negate(condition)]
      })
      const condition = any(negated)
      if (condition !== undefined) conditions.push(condition)
    } else if (key === '$and' || key === '$or') {
      throw new ApiError(
        'ValidationError',
        `Operator ${key} joins whole filters, not the values of ${attribute.name}`,
      )
    } else if (attribute.type === 'json' && !key.startsWith('$')) {
      conditions.push(...planJson(place, attribute, [key], operand))
    } else {
      const operator = operators.get(key)
      if (operator === undefined) throw createUnknownOperator(key)
      conditions.push(planOperator(place, attribute, operator, operand))
    }
  }
  return all(conditions)
}

function planOperator(
  place: FilterContext,
  attribute: ScalarAttribute,
  operator: Operator | undefined,
  operand: unknown,
): Condition {
  if (operator === undefined) throw new TypeError('the operator table lacks $eq or $in')
  const { planning } = place
  // Only equality reads JSON; other operators compare its text as sent, because JSON has no order.
  const isEquality = operator.kind === 'equal' || operator.kind === 'in'
  const cast = (given: unknown): ScalarValue =>
    planning.readsJson && isEquality ? castReadingJson(attribute, given) : castValue(attribute, given)
  const compare = (...values: PlanValue[]): Condition => planComparison(planning, attribute, operator, values)
  switch (operator.operand) {
    case 'truth': {
      const isNull = isTruth(operand, operator.name) !== operator.negated
      return isNullCondition(planning, attribute, isNull)
    }
    case 'list': {
      const list: readonly unknown[] = Array.isArray(operand) ? operand.flat() : [operand]
      assertListLength(list)
      const values = list.filter((element) => element !== null).map(cast)
      // No value is in an empty list, not even null.
      if (values.length === 0) return operator.negated ? always(planning) : never(planning)
      return compare(values)
    }
    case 'pair': {
      if (!Array.isArray(operand) || operand.length !== 2) {
        throw new ApiError(
          'ValidationError',
          `Operator ${operator.name} on ${attribute.name} needs a list of two values`,
        )
      }
      return compare(...operand.map(cast))
    }
    case 'value': {
      // A list under an operator for one value matches if any of its elements does.
      if (Array.isArray(operand)) {
        assertListLength(operand)
        return (
          any(operand.map((element) => planOperator(place, attribute, operator, element))) ?? never(planning)
        )
      }
      if (operator.kind === 'equal' && operand === null)
        return isNullCondition(planning, attribute, !operator.negated)
      return compare(operator.asText ? castText(attribute, operand) : cast(operand))
    }
  }
}

function always(planning: PlanContext): Condition {
  countPredicate(planning)
  return ALWAYS
}

function never(planning: PlanContext): Condition {
  countPredicate(planning)
  return NEVER
}

export function isNullCondition(
  planning: PlanContext,
  attribute: ScalarAttribute,
  isNull: boolean,
): Condition {
  const operator = operators.get(isNull ? '$null' : '$notNull')
  if (operator === undefined) throw new TypeError('the operator table lacks $null or $notNull')
  countPredicate(planning)
  return { kind: 'compare', attribute, operator, slots: [] }
}
