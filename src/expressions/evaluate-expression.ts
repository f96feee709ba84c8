// Evaluates an expression by SQL's logic: a comparison with a missing value is null, and `&&` and `||` decide
// without it where possible.

import { type Comparison, type Expression, isCalculated, type PathNode, type Type } from './expression.ts'
import {
  calculate,
  compareValues,
  isInRange,
  type Plain,
  shift,
  toCalculable,
  typed,
  type Value,
} from './values.ts'

export interface NamedValues {
  /** Relations to one entry as an object with its id, or the id alone; to many as a list. */
  readonly entry?: unknown
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Null: unknown, or no value. Moments are epoch milliseconds, entries are ids. */
export function evaluateExpression(expression: Expression, given: NamedValues): Plain {
  return plain(evaluate(expression, { ...given, elements: new Map() }))
}

interface Evaluation extends NamedValues {
  readonly elements: ReadonlyMap<string, unknown>
}

function evaluate(node: Expression, given: Evaluation): Value {
  const of = (each: Expression): Value => evaluate(each, given)
  switch (node.kind) {
    case 'path':
      return typed(node.type, read(node, given))
    case 'literal':
      return node.value
    case 'list':
      return node.elements.map(of)
    case 'and':
    case 'or':
      return joined(node.parts, of, node.kind === 'or')
    case 'not':
      return negated(of(node.operand))
    case 'minus':
      return calculate('-', 0, operand(node.operand, of), false)
    case 'size': {
      const value = of(node.operand)
      if (Array.isArray(value)) return value.length
      return typeof value === 'string' ? [...value].length : null
    }
    case 'isNull':
      return (of(node.operand) === null) !== node.negated
    case 'compare':
      return compare(node.operator, of(node.left), of(node.right))
    case 'arithmetic': {
      const whole = node.type.kind === 'int'
      return calculate(node.operator, operand(node.left, of), operand(node.right, of), whole)
    }
    case 'concat': {
      const [left, right] = [of(node.left), of(node.right)]
      return typeof left === 'string' && typeof right === 'string' ? left + right : null
    }
    case 'shift':
      return shift(node.operator, of(node.left), of(node.right))
    case 'in':
      return includes(of(node.element), of(node.list), node.list.type)
    case 'textTest': {
      const [text, part] = [of(node.text), of(node.part)]
      if (typeof text !== 'string' || typeof part !== 'string') return null
      return node.test === 'contains'
        ? text.includes(part)
        : node.test === 'startsWith'
          ? text.startsWith(part)
          : text.endsWith(part)
    }
    case 'conditional':
      return conditional(node, of)
    case 'exists': {
      const list = read(node.list, given)
      if (!Array.isArray(list)) return null
      return list.some((element) => {
        const inside = { ...given, elements: new Map([...given.elements, [node.variable, element]]) }
        return evaluate(node.body, inside) === true
      })
    }
  }
}

function read({ root, names }: PathNode, { entry, variables = {}, elements }: Evaluation): unknown {
  let value: unknown =
    root.kind === 'entry'
      ? entry
      : root.kind === 'element'
        ? elements.get(root.name)
        : own(variables, root.name)
  for (const name of names) value = own(value, name)
  return value
}

function own(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function joined(parts: readonly Expression[], of: (node: Expression) => Value, decisive: boolean): Value {
  let unknown = false
  for (const part of parts) {
    const value = of(part)
    if (value === decisive) return decisive
    if (value === null) unknown = true
  }
  return unknown ? null : !decisive
}

/** A number that was read, not calculated, must be within `MIN_NUMBER` and `MAX_NUMBER`. */
function operand(node: Expression, of: (node: Expression) => Value): number | null {
  if (node.kind === 'conditional') {
    const test = of(node.test)
    return test === null ? null : operand(test === true ? node.yes : node.no, of)
  }
  const value = toCalculable(of(node))
  return value === null || isCalculated(node) || isInRange(value) ? value : null
}

function negated(value: Value): Value {
  return typeof value === 'boolean' ? !value : null
}

/** For booleans it is `(test && yes) || (!test && no)`, as in the database. */
function conditional(
  { test, yes, no, type }: Extract<Expression, { kind: 'conditional' }>,
  of: (node: Expression) => Value,
): Value {
  const condition = of(test)
  if (condition === true) return of(yes)
  if (condition === false) return of(no)
  return type.kind === 'bool' && of(yes) === false && of(no) === false ? false : null
}

function compare(operator: Comparison, left: Value, right: Value): Value {
  if (left === null || right === null) return null
  const order = compareValues(left, right)
  switch (operator) {
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

/** An empty list contains no value, not even a missing one. Missing elements of a list are ignored. */
function includes(element: Value, list: Value, type: Type): Value {
  if (!Array.isArray(list)) return null
  const isEntries = type.kind === 'entries'
  const each = isEntries ? list.map((one) => typed({ kind: 'entry', shape: type.shape }, one)) : list
  const elements = each.filter((one) => one !== null)
  if (element === null) return elements.length === 0 && !isEntries ? false : null
  return elements.some((one) => compareValues(one as Value, element) === 0)
}

function plain(value: Value): Plain {
  if (!Array.isArray(value)) return value as Plain
  return value.map((each) =>
    typeof each === 'object' && each !== null ? (typed(ENTRY, each) as number | null) : each,
  ) as Plain
}

const ENTRY: Type = { kind: 'entry', shape: { name: '', member: () => undefined, names: [] } }
