// Conditions joined and negated, by SQL's logic of three values.

import type { ScalarValue } from '../attribute-types/attribute-type.ts'
import { unreachable } from '../errors/invariant.ts'
import { isToMany, type ScalarAttribute } from '../model/attribute.ts'
import type { Condition, PlanValue } from './read-plan.ts'

type Related = Extract<Condition, { kind: 'related' }>

/** To the related entries, or to those of them that are published. */
export type Way = Pick<Related, 'attribute' | 'live'>

export const ALWAYS: Condition = { kind: 'and', conditions: [] }
export const NEVER: Condition = { kind: 'or', conditions: [] }

export function all(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length > 1 ? { kind: 'and', conditions } : conditions[0]
}

export function any(conditions: readonly Condition[]): Condition | undefined {
  return conditions.length > 1 ? { kind: 'or', conditions } : conditions[0]
}

/**
 * What is unknown stays unknown: an entry without the one related entry that a condition is about matches neither
 * the condition nor its negation. Of many related entries, the negation says that none fulfils the condition.
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
      return { kind: 'not', condition }
    case 'related':
      return condition.condition !== undefined && !isToMany(condition.attribute)
        ? about(condition, negate(condition.condition))
        : { kind: 'not', condition }
    default:
      return unreachable(condition)
  }
}

/** About related entries; where none is there, a condition such as `{ name: { $null: true } }` is fulfilled too. */
export function related(way: Way, condition: Condition | undefined): Condition | undefined {
  return condition === undefined ? undefined : about(way, condition)
}

function about({ attribute, live }: Way, condition: Condition): Condition {
  const some: Condition = { kind: 'related', attribute, live, condition }
  return valueForNothing(condition) === true
    ? { kind: 'or', conditions: [some, noneRelated({ attribute, live })] }
    : some
}

export function noneRelated({ attribute, live }: Way): Condition {
  return { kind: 'not', condition: { kind: 'related', attribute, live, condition: undefined } }
}

/** The condition's value for an entry that is not there, of which every attribute is null; null: unknown. */
function valueForNothing(condition: Condition): boolean | null {
  return evaluate(condition, [], () => null)
}

/** The condition's value for a row that is related to nothing; null: unknown. */
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
  // It is left out of lists, as in SQL.
  if (operands.length < given.length && operator.operand !== 'list') return null
  const { asText, ignoresCase } = operator
  const form = <T>(each: T): T | string => (asText ? textOf(each, ignoresCase) : each)
  return operator.matches(form(value), operands.map(form)) !== operator.negated
}

/** Case is that of ASCII letters, as in every database. */
function textOf(value: unknown, ignoresCase: boolean): string {
  const text = String(value)
  return ignoresCase ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
}
