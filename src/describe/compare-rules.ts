// Whether the rules of an edited file allow no more than before, as far as a simple proof shows it.

import type { Alternative } from '../access/rules.ts'
import type { Expression } from '../expressions/expression.ts'

/** False: they may allow more, or something else. */
export function isNoWider(before: readonly Alternative[], after: readonly Alternative[]): boolean {
  // Which permission sets the values of a write depends on all of them and on their order.
  const sets = new Set([...before, ...after].map(getSet))
  if (sets.size > 1) return String(before.map(getParts)) === String(after.map(getParts))
  return after.every((one) => before.some((other) => isCovered(one, other)))
}

function isCovered(one: Alternative, by: Alternative): boolean {
  return isImplied(by.where, one.where) && isImplied(by.check, one.check) && isSubset(one.fields, by.fields)
}

function isImplied(condition: Expression | undefined, by: Expression | undefined): boolean {
  return condition === undefined || (by !== undefined && implies(by, condition))
}

function implies(one: Expression, other: Expression): boolean {
  if (getForm(one) === getForm(other)) return true
  if (other.kind === 'and') return other.parts.every((part) => implies(one, part))
  if (one.kind === 'or') return one.parts.every((part) => implies(part, other))
  if (one.kind === 'and' && one.parts.some((part) => implies(part, other))) return true
  return other.kind === 'or' && other.parts.some((part) => implies(one, part))
}

function isSubset(few: ReadonlySet<string> | undefined, many: ReadonlySet<string> | undefined): boolean {
  return many === undefined || (few !== undefined && [...few].every((name) => many.has(name)))
}

function getSet({ set }: Alternative): string {
  return JSON.stringify([...set].map(([name, value]) => [name, getForm(value)]).sort())
}

function getParts(one: Alternative): string {
  const { where, check, fields } = one
  const forms = [where, check].map((condition) => condition && getForm(condition))
  return JSON.stringify([forms, getSet(one), fields && [...fields]])
}

/** Equal for equal expressions at different positions. */
function getForm(node: Expression): string {
  return JSON.stringify(node, (key, value: unknown) => (PLACES.has(key) ? undefined : value))
}

const PLACES: ReadonlySet<string> = new Set(['range', 'type', 'types'])
