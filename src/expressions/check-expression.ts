// Checks an expression: resolves every name and gives every node its type.

import type { ASTNode } from '@marcbachmann/cel-js'
import { checkCall } from './check-calls.ts'
import { findPath, getElement, type NameContext } from './check-names.ts'
import { checkArithmetic, checkCompare, checkIn } from './check-operators.ts'
import {
  type Expression,
  ExpressionError,
  type ExpressionFault,
  listParts,
  type Range,
  type Scope,
  type Type,
  typeName,
} from './expression.ts'
import { parseText } from './load-parser.ts'
import { MAX_PRODUCTS } from './values.ts'

export type CheckedExpression =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly fault: ExpressionFault }

/**
 * With `wanted: 'bool'` the expression must be true or false. `loadExpressionParser` must have been awaited.
 */
export function checkExpression(text: string, scope: Scope, wanted?: 'bool'): CheckedExpression {
  try {
    const expression = check({ scope, elements: new Map() }, parseText(text))
    if (wanted === 'bool') assertBool(expression)
    if (getProducts(expression) > MAX_PRODUCTS)
      throw new ExpressionError(
        expression.range,
        `at most ${MAX_PRODUCTS} multiplications and divisions are allowed`,
      )
    return { ok: true, expression }
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, fault: error.fault }
    throw error
  }
}

const BOOL: Type = { kind: 'bool' }

function check(checking: NameContext, node: ASTNode): Expression {
  const range: Range = [node.range.start, node.range.end]
  const inner = (each: ASTNode): Expression => check(checking, each)
  switch (node.op) {
    case 'value':
      return literal(node.args, range)
    case 'id':
    case '.':
      return checkPath(checking, node, range)
    case 'list': {
      const elements = node.args.map(inner)
      return { kind: 'list', elements, type: { kind: 'list', of: getElement(elements, range) }, range }
    }
    case '&&':
    case '||': {
      const kind = node.op === '&&' ? 'and' : 'or'
      const parts = node.args.map(inner)
      for (const part of parts) assertBool(part)
      const flat = parts.flatMap((part) => (part.kind === kind ? part.parts : [part]))
      return { kind, parts: flat, type: BOOL, range }
    }
    case '!_': {
      const operand = inner(node.args)
      assertBool(operand)
      return { kind: 'not', operand, type: BOOL, range }
    }
    case '-_': {
      const operand = inner(node.args)
      if (operand.kind === 'literal' && typeof operand.value === 'number')
        return { ...operand, value: -operand.value, range }
      if (operand.type.kind !== 'int' && operand.type.kind !== 'number')
        throw new ExpressionError(operand.range, `"-" needs a number, and this is ${typeName(operand.type)}`)
      return { kind: 'minus', operand, type: operand.type, range }
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return checkCompare(node.op, inner(node.args[0]), inner(node.args[1]), range)
    case '+':
    case '-':
    case '*':
    case '/':
      return checkArithmetic(node.op, inner(node.args[0]), inner(node.args[1]), range)
    case 'in':
      return checkIn(inner(node.args[0]), inner(node.args[1]), range)
    case '?:':
      return checkConditional(inner(node.args[0]), inner(node.args[1]), inner(node.args[2]), range)
    case 'call':
    case 'rcall':
      return checkCall(checking, node, range, check)
    default:
      throw new ExpressionError(range, `"${node.op}" is not part of the language of expressions`)
  }
}

function checkPath(checking: NameContext, node: ASTNode, range: Range): Expression {
  if (node.op === 'id') return findPath(checking, undefined, node.args, range)
  if (node.op !== '.') throw new ExpressionError(range, 'only a name has attributes')
  const [target, name] = node.args
  if (target.op === 'id' && target.args === 'this' && checking.scope.entry !== undefined)
    return findPath(checking, 'this', name, range)
  const before = checkPath(checking, target, [target.range.start, target.range.end])
  return findPath(checking, before, name, range)
}

function literal(value: unknown, range: Range): Expression {
  const typed = (kind: 'null' | 'bool' | 'int' | 'number' | 'text', as: string | number | boolean | null) =>
    ({ kind: 'literal', value: as, type: { kind }, range }) as const
  if (value === null) return typed('null', null)
  if (typeof value === 'boolean') return typed('bool', value)
  if (typeof value === 'string' && !value.includes('\0')) return typed('text', value)
  if (typeof value === 'number' && Number.isFinite(value)) return typed('number', value)
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return typed('int', Number(value))
  throw new ExpressionError(range, 'this value is not part of the language of expressions')
}

function checkConditional(test: Expression, yes: Expression, no: Expression, range: Range): Expression {
  assertBool(test)
  const type = common(yes.type, no.type)
  if (type === undefined)
    throw new ExpressionError(
      no.range,
      `both values of "? :" must be of one type: ${typeName(yes.type)} and ${typeName(no.type)}`,
    )
  return { kind: 'conditional', test, yes, no, type, range }
}

function common(one: Type, other: Type): Type | undefined {
  if (one.kind === 'null') return other
  if (other.kind === 'null') return one
  const kinds = [one.kind, other.kind]
  if (kinds.every((kind) => kind === 'int' || kind === 'number'))
    return { kind: kinds.includes('number') ? 'number' : 'int' }
  if (one.kind !== other.kind) return undefined
  if (one.kind === 'entry' || one.kind === 'entries' || one.kind === 'list') return undefined
  return { kind: one.kind }
}

function getProducts(node: Expression): number {
  const own = node.kind === 'arithmetic' && (node.operator === '*' || node.operator === '/') ? 1 : 0
  return listParts(node).reduce((sum, part) => sum + getProducts(part), own)
}

function assertBool({ type, range }: Expression): void {
  if (type.kind !== 'bool')
    throw new ExpressionError(range, `this must be true or false, and it is ${typeName(type)}`)
}
