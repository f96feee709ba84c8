// Checks the types of comparisons, `in` and arithmetic. A literal takes the type of the other side, such as a
// date.

import { didYouMean } from '../lib/did-you-mean.ts'
import { parseDate, parseDateTime, parseTime } from '../lib/iso-date.ts'
import {
  type Arithmetic,
  type Comparison,
  type Expression,
  ExpressionError,
  type Range,
  type ScalarKind,
  type Type,
  typeName,
} from './expression.ts'

const BOOL: Type = { kind: 'bool' }

export function checkCompare(
  operator: Comparison,
  left: Expression,
  right: Expression,
  range: Range,
): Expression {
  const equality = operator === '==' || operator === '!='
  if (equality && (isNull(left) || isNull(right))) {
    const operand = isNull(left) ? right : left
    if (operand.type.kind === 'entries')
      throw new ExpressionError(
        operand.range,
        'a list of entries is never null',
        'write !list.exists(one, true) for an empty one',
      )
    return { kind: 'isNull', operand, negated: operator === '!=', type: BOOL, range }
  }
  const [one, other] = coerced(left, right)
  const ordered = !['bool', 'entry', 'null'].includes(one.type.kind)
  if (!equality && !ordered)
    throw new ExpressionError(range, `"${operator}" does not compare ${typeName(one.type)}`)
  return { kind: 'compare', operator, left: one, right: other, type: BOOL, range }
}

function isNull(node: Expression): boolean {
  return node.kind === 'literal' && node.value === null
}

export function checkIn(element: Expression, list: Expression, range: Range): Expression {
  const { type } = list
  if (type.kind === 'entries') {
    if (element.type.kind !== 'entry' || element.type.shape.name !== type.shape.name)
      throw new ExpressionError(
        element.range,
        `this is ${typeName(element.type)}, and the list holds entries of ${type.shape.name}`,
      )
    return { kind: 'in', element, list, type: BOOL, range }
  }
  if (type.kind !== 'list')
    throw new ExpressionError(list.range, `"in" needs a list, and this is ${typeName(type)}`)
  if (list.kind !== 'list') return { kind: 'in', element, list, type: BOOL, range }
  const elements = list.elements.map((each) => coerced(element, each)[1])
  return { kind: 'in', element, list: { ...list, elements }, type: BOOL, range }
}

function coerced(left: Expression, right: Expression): readonly [Expression, Expression] {
  if (left.kind === 'literal' && right.kind !== 'literal') {
    const [one, other] = coerced(right, left)
    return [other, one]
  }
  if (right.kind === 'literal' && typeof right.value === 'string' && right.type.kind === 'text') {
    const literal = asType(right, right.value, left.type)
    if (literal !== undefined) return [left, literal]
  }
  if (!comparable(left.type, right.type))
    throw new ExpressionError(
      right.range,
      `${typeName(left.type)} is never compared with ${typeName(right.type)}`,
      left.type.kind === 'entry'
        ? 'compare the entry with me, with another entry, or its id with a number'
        : undefined,
    )
  return [left, right]
}

function asType(literal: Expression & { kind: 'literal' }, text: string, type: Type): Expression | undefined {
  const { range } = literal
  if (type.kind === 'text') {
    const { values } = type
    if (values === undefined || values.includes(text)) return literal
    const near = didYouMean(text, values)
    throw new ExpressionError(
      range,
      `"${text}" is none of its values`,
      near === undefined ? `one of ${values.slice(0, 12).join(', ')}` : `did you mean "${near}"?`,
    )
  }
  const parse = parsers[type.kind]
  if (parse === undefined) return undefined
  const parsed = parse(text)
  if ('fault' in parsed) throw new ExpressionError(range, `this is not ${typeName(type)}`)
  return { ...literal, value: parsed.value, type: { kind: type.kind as ScalarKind } }
}

const parsers: Partial<
  Record<Type['kind'], (text: string) => ReturnType<typeof parseDateTime> | ReturnType<typeof parseDate>>
> = {
  date: parseDate,
  time: parseTime,
  moment: parseDateTime,
}

function comparable(one: Type, other: Type): boolean {
  if (isNumber(one) && isNumber(other)) return true
  if (one.kind === 'entry' && other.kind === 'entry') return one.shape.name === other.shape.name
  if (one.kind === 'entries' || one.kind === 'list') return false
  return one.kind === other.kind
}

function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'number'
}

export function checkArithmetic(
  operator: Arithmetic,
  left: Expression,
  right: Expression,
  range: Range,
): Expression {
  const kinds = [left.type.kind, right.type.kind] as const
  if (isNumber(left.type) && isNumber(right.type)) {
    const type: Type = { kind: kinds.includes('number') ? 'number' : 'int' }
    return { kind: 'arithmetic', operator, left, right, type, range }
  }
  if (operator === '+' && kinds[0] === 'text' && kinds[1] === 'text')
    return { kind: 'concat', operator, left, right, type: { kind: 'text' }, range }
  if ((operator === '+' || operator === '-') && kinds[0] === 'moment' && kinds[1] === 'duration')
    return { kind: 'shift', operator, left, right, type: { kind: 'moment' }, range }
  throw new ExpressionError(
    range,
    `"${operator}" does not go with ${typeName(left.type)} and ${typeName(right.type)}`,
  )
}
