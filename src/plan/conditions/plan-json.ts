// Plans comparisons with values inside a JSON attribute: `filters[extra][size][$gt]=3`.

import type { Comparison, TextTest } from '../../expressions/expression.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import { JSON_NAME, type JsonPath, MAX_PATH_NAMES } from '../../model/json-path.ts'
import { type Operator, operators } from '../operators.ts'
import { countPredicate, createTooMuch, type PlanContext, slot } from '../planning.ts'
import { type Condition, MAX_KEY_LENGTH, type Slot, type ValueExpression } from '../read-plan.ts'
import { any, negate } from './condition-logic.ts'
import { assertListLength, createUnknownOperator, type FilterContext, isTruth } from './filter-place.ts'

export function assertJsonPath(attribute: ScalarAttribute, path: readonly string[]): void {
  if (path.length > MAX_PATH_NAMES)
    throw createTooMuch(`names in a path of ${attribute.name}`, MAX_PATH_NAMES)
  const wrong = path.find((name) => !JSON_NAME.test(name))
  if (wrong !== undefined)
    throw new ApiError(
      'ValidationError',
      `Invalid path in ${attribute.name}: names have 1 to 100 characters, without quotes and backslashes`,
    )
}

/** Names lead deeper, operators compare; a value alone is compared with `$eq`, a list with `$in`. Throws ValidationError. */
export function planJson(
  place: FilterContext,
  attribute: ScalarAttribute,
  path: readonly string[],
  value: unknown,
): readonly Condition[] {
  assertJsonPath(attribute, path)
  const comparisons = isRecord(value) ? value : { [Array.isArray(value) ? '$in' : '$eq']: value }
  return Object.entries(comparisons).flatMap(([key, operand]) => {
    if (!key.startsWith('$')) return planJson(place, attribute, [...path, key], operand)
    const operator = operators.get(key)
    if (operator === undefined) throw createUnknownOperator(key)
    return [planOperator(place, attribute, path, operator, operand)]
  })
}

/** A path with an index is part of the plan, because the index belongs to an expression with the path. */
export function planJsonPath(
  planning: PlanContext,
  attribute: ScalarAttribute,
  path: readonly string[],
): Slot | JsonPath {
  const indexed = attribute.indexedPaths.find(
    (one) => one.length === path.length && one.every((name, index) => name === path[index]),
  )
  return indexed ?? slot(planning, path)
}

const ORDERS: Readonly<Record<string, Comparison>> = { $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' }

/** Equality and tests of text look at the JSON text of the value (of a string itself), orders at numbers if they are given one. */
function planOperator(
  { planning }: FilterContext,
  attribute: ScalarAttribute,
  path: readonly string[],
  operator: Operator,
  operand: unknown,
): Condition {
  const at = planJsonPath(planning, attribute, path)
  const { name, kind, negated, ignoresCase } = operator
  const text: ValueExpression = { kind: 'json', attribute, path: at, as: 'text' }
  const number: ValueExpression = { kind: 'json', attribute, path: at, as: 'number' }
  const isSigned = (condition: Condition): Condition => (negated ? negate(condition) : condition)
  const compare = (comparison: Comparison, given: unknown, ordered: boolean): Condition => {
    countPredicate(planning)
    const asNumber = ordered ? toNumber(given) : undefined
    const right = (column: 'float' | 'text', known: number | string): ValueExpression => ({
      kind: 'slot',
      slot: slot(planning, known) as Slot,
      column,
    })
    if (asNumber !== undefined)
      return { kind: 'compareValues', operator: comparison, left: number, right: right('float', asNumber) }
    const whole = toText(attribute, given)
    const isKey = comparison === '==' && typeof at !== 'number' && whole.length <= MAX_KEY_LENGTH
    const left: ValueExpression = isKey ? { ...text, as: 'key' } : text
    return { kind: 'compareValues', operator: comparison, left, right: right('text', whole) }
  }
  const list = (given: unknown): readonly unknown[] => {
    const elements: readonly unknown[] = Array.isArray(given) ? given : [given]
    assertListLength(elements)
    return elements
  }
  const isNull: Condition = { kind: 'valueIsNull', value: text }
  switch (kind) {
    case 'null':
      countPredicate(planning)
      return isTruth(operand, name) === negated ? negate(isNull) : isNull
    case 'equal':
      if (operand === null) return negated ? negate(isNull) : isNull
      if (ignoresCase) break
      return isSigned(compare('==', operand, false))
    case 'in':
      return isSigned(
        any(list(operand).map((one) => compare('==', one, false))) ?? { kind: 'or', conditions: [] },
      )
    case 'between': {
      const [low, high] = list(operand)
      if (!Array.isArray(operand) || operand.length !== 2) break
      return isSigned({ kind: 'and', conditions: [compare('>=', low, true), compare('<=', high, true)] })
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      if (ignoresCase) break
      countPredicate(planning)
      return isSigned({
        kind: 'textTest',
        test: kind satisfies TextTest,
        text,
        part: { kind: 'slot', slot: slot(planning, toText(attribute, operand)), column: 'text' },
      })
    default: {
      const comparison = ORDERS[name]
      if (comparison !== undefined) return compare(comparison, operand, true)
    }
  }
  throw new ApiError('ValidationError', `Operator ${name} does not fit a path in ${attribute.name}`)
}

function toNumber(given: unknown): number | undefined {
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function toText({ name }: ScalarAttribute, given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  throw new ApiError('ValidationError', `A path in ${name} is compared with a text, a number, true or false`)
}
