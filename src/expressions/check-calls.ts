// Checks calls of the language's functions, such as `size`, `has` and `exists`.

import type { ASTNode } from '@marcbachmann/cel-js'
import { didYouMean } from '../lib/did-you-mean.ts'
import { parseDateTime } from '../lib/iso-date.ts'
import type { NameContext } from './check-names.ts'
import { type Expression, ExpressionError, type Range, type Type, typeName } from './expression.ts'

type Check = (checking: NameContext, node: ASTNode) => Expression
type Call = Extract<ASTNode, { op: 'call' | 'rcall' }>

const BOOL: Type = { kind: 'bool' }
const functions = [
  'size',
  'has',
  'contains',
  'startsWith',
  'endsWith',
  'exists',
  'timestamp',
  'duration',
] as const
/** Nested loops: each is a further subquery. */
const MAX_LOOP_DEPTH = 3

export function checkCall(checking: NameContext, node: Call, range: Range, check: Check): Expression {
  const [name, target, given] =
    node.op === 'call' ? ([node.args[0], undefined, node.args[1]] as const) : node.args
  const inner = (each: ASTNode): Expression => check(checking, each)
  switch (name) {
    case 'size': {
      const operand = inner(only(name, target === undefined ? given : [target, ...given], range))
      const { kind } = operand.type
      if (kind !== 'text' && kind !== 'entries')
        throw new ExpressionError(
          operand.range,
          `size counts characters or entries, and this is ${typeName(operand.type)}`,
        )
      return { kind: 'size', operand, type: { kind: 'int' }, range }
    }
    case 'has': {
      const operand = inner(only(name, given, range))
      if (operand.kind !== 'path' || operand.type.kind === 'entries')
        throw new ExpressionError(
          operand.range,
          'has() asks whether an attribute or a relation to one has a value',
        )
      return { kind: 'isNull', operand, negated: true, type: BOOL, range }
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      if (target === undefined) throw new ExpressionError(range, `write text.${name}(part)`)
      const [text, part] = [inner(target), inner(only(name, given, range))]
      for (const each of [text, part])
        if (each.type.kind !== 'text')
          throw new ExpressionError(each.range, `${name} needs a text, and this is ${typeName(each.type)}`)
      return { kind: 'textTest', test: name, text, part, type: BOOL, range }
    }
    case 'exists':
      return checkExists(checking, target, given, range, check)
    case 'timestamp':
    case 'duration': {
      const text = inner(only(name, given, range))
      const value =
        text.kind === 'literal' && typeof text.value === 'string'
          ? getMilliseconds(name, text.value)
          : undefined
      if (value === undefined)
        throw new ExpressionError(
          text.range,
          name === 'timestamp'
            ? 'write a moment such as "2024-03-01T18:30:00Z"'
            : 'write a duration such as "36h", "7d" or "1h30m"',
        )
      return { kind: 'literal', value, type: { kind: name === 'timestamp' ? 'moment' : 'duration' }, range }
    }
    default: {
      const near = didYouMean(name, functions)
      throw new ExpressionError(
        range,
        `there is no function "${name}"`,
        near === undefined ? `functions: ${functions.join(', ')}` : `did you mean "${near}"?`,
      )
    }
  }
}

function only(name: string, given: readonly ASTNode[], range: Range): ASTNode {
  const [first] = given
  if (first === undefined || given.length !== 1) throw new ExpressionError(range, `${name} takes one value`)
  return first
}

function checkExists(
  checking: NameContext,
  target: ASTNode | undefined,
  [variable, body]: readonly ASTNode[],
  range: Range,
  check: Check,
): Expression {
  const list = target === undefined ? undefined : check(checking, target)
  if (list?.kind !== 'path' || list.type.kind !== 'entries' || variable?.op !== 'id' || body === undefined)
    throw new ExpressionError(
      range,
      'write list.exists(one, condition), where list is a relation to several entries',
    )
  const name = variable.args
  if (checking.elements.size >= MAX_LOOP_DEPTH)
    throw new ExpressionError(range, `loops may stand ${MAX_LOOP_DEPTH} deep in each other, not deeper`)
  const element: Type = { kind: 'entry', shape: list.type.shape }
  const inner = check({ ...checking, elements: new Map([...checking.elements, [name, element]]) }, body)
  if (inner.type.kind !== 'bool')
    throw new ExpressionError(inner.range, `this must be true or false, and it is ${typeName(inner.type)}`)
  return { kind: 'exists', list, variable: name, body: inner, type: BOOL, range }
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

function getMilliseconds(name: 'timestamp' | 'duration', text: string): number | undefined {
  if (name === 'timestamp') {
    const parsed = parseDateTime(text)
    return 'value' in parsed ? parsed.value : undefined
  }
  if (!/^(?:\d{1,9}(?:\.\d{1,3})?(?:d|h|ms|m|s))+$/.test(text)) return undefined
  let sum = 0
  for (const [, count, unit = ''] of text.matchAll(/([\d.]+)(d|h|ms|m|s)/g))
    sum += Number(count) * (UNITS[unit] ?? 0)
  return Math.round(sum)
}
