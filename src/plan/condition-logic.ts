// Conditions joined and negated, by SQL's logic of three values.

import { unreachable } from '../errors/invariant.ts'
import { isToMany } from '../model/attribute.ts'
import type { Condition } from './read-plan.ts'

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
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or'
      const values = condition.conditions.map(valueForNothing)
      if (values.includes(decisive)) return decisive
      return values.includes(null) ? null : !decisive
    }
    case 'not': {
      const value = valueForNothing(condition.condition)
      return value === null ? null : !value
    }
    case 'compare':
      return condition.operator.kind === 'null' ? !condition.operator.negated : null
    case 'related':
      return condition.condition === undefined ? false : null
    default:
      return unreachable(condition)
  }
}
