// Joins, negates and evaluates conditions by SQL's three-valued logic.

import type { ScalarValue } from '../../attribute-types/attribute-type.ts'
import { unreachable } from '../../lib/errors/invariant.ts'
import { isToMany, type ScalarAttribute } from '../../model/attribute.ts'
import type { Condition, PlanValue } from '../read-plan.ts'

type RelatedCondition = Extract<Condition, { kind: 'related' }>

export type Way = Pick<RelatedCondition, 'attribute' | 'only'>

export const ALWAYS: Condition = { kind: 'and', conditions: [] }
export const NEVER: Condition = { kind: 'or', conditions: [] }

export function all(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length > 1 ? { kind: 'and', conditions } : conditions[0]
}

export function any(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length > 1 ? { kind: 'or', conditions } : conditions[0]
}

/**
 * Unknown stays unknown: an entry without the related entry of a relation to one matches neither the
 * condition nor its negation. For a relation to many, the negation means that no related entry matches.
 */
export function negate(condition: Condition): Condition {
  switch (condition.kind) {
    case 'and':
      return { kind: 'or', conditions: condition.conditions.map(negate) }
    case 'or':
      return { kind: 'and', conditions: condition.conditions.map(negate) }
    case 'not':
      return condition.condition
    case 'compare':
    case 'compareValues':
    case 'textTest':
    case 'valueIsNull':
      return { kind: 'not', condition }
    case 'related':
      return condition.condition !== undefined && !isToMany(condition.attribute)
        ? about(condition, negate(condition.condition))
        : { kind: 'not', condition }
    default:
      return unreachable(condition)
  }
}

/** A condition such as `{ name: { $null: true } }` also matches entries without related entries. */
export function related(way: Way, condition: Condition | undefined): Condition | undefined {
  return condition === undefined ? undefined : about(way, condition)
}

function about({ attribute, only }: Way, condition: Condition): Condition {
  const some: Condition = { kind: 'related', attribute, only, condition }
  return valueForNothing(condition) === true
    ? { kind: 'or', conditions: [some, negateRelated({ attribute, only })] }
    : some
}

export function negateRelated({ attribute, only }: Way): Condition {
  return { kind: 'not', condition: { kind: 'related', attribute, only, condition: undefined } }
}

function valueForNothing(condition: Condition): boolean | null {
  return evaluate(condition, [], () => null)
}

/** The condition's value for a row without related entries; null: unknown. */
export function evaluate(
  condition: Condition,
  values: readonly PlanValue[],
  read: (attribute: ScalarAttribute) => ScalarValue,
): boolean | null {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or'
      const parts = condition.conditions.map((part) => evaluate(part, values, read))
      if (parts.includes(decisive)) return decisive
      return parts.includes(null) ? null : !decisive
    }
    case 'not': {
      const value = evaluate(condition.condition, values, read)
      return value === null ? null : !value
    }
    case 'compare':
      return compare(condition, values, read(condition.attribute))
    case 'related':
      return condition.condition === undefined ? false : null
    // These depend on a row, so without one they are unknown.
    case 'compareValues':
    case 'textTest':
    case 'valueIsNull':
      return null
    default:
      return unreachable(condition)
  }
}

function compare(
  { operator, slots }: Extract<Condition, { kind: 'compare' }>,
  values: readonly PlanValue[],
  value: ScalarValue,
): boolean | null {
  if (operator.kind === 'null') return (value === null) !== operator.negated
  if (value === null) return null
  const given = slots.flatMap((slot) => values[slot] ?? null)
  const operands = given.filter((operand) => operand !== null)
  // Null operands are left out of lists, as in SQL.
  if (operands.length < given.length && operator.operand !== 'list') return null
  const { asText, ignoresCase } = operator
  const form = <T>(each: T): T | string => (asText ? formatText(each, ignoresCase) : each)
  return operator.matches(form(value), operands.map(form)) !== operator.negated
}

/** Ignores case for ASCII letters only, as all supported databases do. */
function formatText(value: unknown, ignoresCase: boolean): string {
  const text = String(value)
  return ignoresCase ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
}
