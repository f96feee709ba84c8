// Turns a checked expression into a value that the database calculates.

import type { ValueColumn } from '../../attribute-types/attribute-type.ts'
import {
  type Expression,
  ExpressionError,
  isCalculated,
  isKnown,
  type Type,
} from '../../expressions/expression.ts'
import { isInRange, type Plain } from '../../expressions/values.ts'
import { slot } from '../planning.ts'
import type { ValueExpression } from '../read-plan.ts'
import { type FramedPath, getWay } from './expression-path.ts'

/** Throws ExpressionError if no database can calculate it. */
export function getRowValue(frame: FramedPath, node: Expression): ValueExpression {
  if (isKnown(node)) return knownValue(frame, node.type, frame.known(node))
  const of = (each: Expression): ValueExpression => getRowValue(frame, each)
  switch (node.kind) {
    case 'path': {
      const { way, attribute } = getWay(frame, node)
      return { kind: 'attribute', through: way, attribute }
    }
    case 'minus':
      return {
        kind: 'arithmetic',
        operator: '-',
        left: knownValue(frame, { kind: 'int' }, 0),
        right: operand(frame, node.operand),
        whole: false,
      }
    case 'arithmetic': {
      const [left, right] = [operand(frame, node.left), operand(frame, node.right)]
      return { kind: 'arithmetic', operator: node.operator, left, right, whole: node.type.kind === 'int' }
    }
    case 'concat':
      return { kind: 'concat', left: of(node.left), right: of(node.right) }
    case 'size': {
      if (node.operand.type.kind !== 'text')
        throw new ExpressionError(
          node.range,
          'the database does not count entries here',
          'ask list.exists(one, true)',
        )
      return { kind: 'size', text: of(node.operand) }
    }
    case 'conditional':
      return conditional(frame, node, of)
    default: {
      if (node.type.kind !== 'bool')
        throw new ExpressionError(node.range, 'the database cannot calculate this value')
      const cases = [true, false].map((wanted) => ({
        when: frame.condition(frame, node, wanted),
        value: knownValue(frame, node.type, wanted),
      }))
      return { kind: 'conditional', cases }
    }
  }
}

function conditional(
  frame: FramedPath,
  { test, yes, no }: Extract<Expression, { kind: 'conditional' }>,
  of: (node: Expression) => ValueExpression,
): ValueExpression {
  const cases = [
    { when: frame.condition(frame, test, true), value: of(yes) },
    { when: frame.condition(frame, test, false), value: of(no) },
  ]
  return { kind: 'conditional', cases }
}

/** A column is limited to numbers of an ordinary size, so that no database overflows. */
function operand(frame: FramedPath, node: Expression): ValueExpression {
  if (isKnown(node)) {
    const value = frame.known(node)
    const number = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
    const calculated = isCalculated(node)
    return knownValue(frame, node.type, number === null || calculated || isInRange(number) ? number : null)
  }
  if (node.kind === 'conditional') return conditional(frame, node, (each) => operand(frame, each))
  const value = getRowValue(frame, node)
  return isCalculated(node) || node.kind === 'size' ? value : { kind: 'ordinary', value }
}

const COLUMNS: Readonly<Record<Type['kind'], ValueColumn | 'id' | undefined>> = {
  bool: 'boolean',
  int: 'float',
  number: 'float',
  text: 'text',
  moment: 'datetime',
  date: 'date',
  time: 'time',
  entry: 'id',
  duration: undefined,
  null: undefined,
  entries: undefined,
  list: undefined,
}

function knownValue({ planning }: FramedPath, type: Type, value: Plain): ValueExpression {
  const column = COLUMNS[type.kind]
  if (value === null || typeof value === 'object' || column === undefined) return { kind: 'null' }
  return { kind: 'slot', slot: slot(planning, typeof value === 'bigint' ? Number(value) : value), column }
}
