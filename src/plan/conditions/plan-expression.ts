// Turns a checked expression into a condition, built for true or for false by SQL's three-valued logic, and
// never negated afterwards.

import { evaluateExpression } from '../../expressions/evaluate-expression.ts'
import {
  type Expression,
  ExpressionError,
  type ExpressionFault,
  isKnown,
  type PathNode,
} from '../../expressions/expression.ts'
import type { Plain } from '../../expressions/values.ts'
import { everything, type Variables } from '../../model/access.ts'
import { getSchemaBehind } from '../../model/attribute-targets.ts'
import type { Schema } from '../../model/content-type.ts'
import { type PlanContext, startPlanning } from '../planning.ts'
import type { Condition, ValueExpression } from '../read-plan.ts'
import { ALWAYS, NEVER } from './condition-logic.ts'
import {
  buildComparison,
  type FramedPath,
  getStoredValue,
  getWay,
  listed,
  wrapped,
} from './expression-path.ts'
import { getRowValue } from './plan-value.ts'

/** Throws ExpressionError if no database can evaluate it. */
export function planExpression(
  planning: PlanContext,
  schema: Schema,
  expression: Expression,
  variables: Variables,
): Condition {
  const known = (node: Expression): Plain => evaluateExpression(node, { variables })
  return condition({ planning, schema, element: undefined, known, condition }, expression, true)
}

export function askFault(schema: Schema, expression: Expression): ExpressionFault | undefined {
  try {
    condition(
      { planning: startPlanning(everything), schema, element: undefined, known: buildSample, condition },
      expression,
      true,
    )
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.fault
    throw error
  }
}

export function holdsForNone(schema: Schema, expression: Expression, variables: Variables): boolean {
  return isNever(planExpression(startPlanning(everything), schema, expression, variables))
}

/** An arbitrary value of the type, where only the condition's form matters. */
function buildSample({ type }: Expression): Plain {
  switch (type.kind) {
    case 'bool':
      return true
    case 'text':
      return 'x'
    case 'date':
      return '2024-01-01'
    case 'time':
      return '00:00:00.000'
    case 'list':
      return [buildSample({ type: { kind: type.of } } as Expression)]
    case 'entries':
      return [1]
    case 'null':
      return null
    default:
      return 1
  }
}

/** Throws ExpressionError if no database can calculate it. */
export function planValue(planning: PlanContext, schema: Schema, expression: Expression): ValueExpression {
  const known = (node: Expression): Plain => evaluateExpression(node, { variables: {} })
  return getRowValue({ planning, schema, element: undefined, known, condition }, expression)
}

/** True where the expression equals `wanted`; an unknown expression matches neither. */
function condition(frame: FramedPath, node: Expression, wanted: boolean): Condition {
  if (isKnown(node)) return frame.known(node) === wanted ? ALWAYS : NEVER
  switch (node.kind) {
    case 'and':
    case 'or': {
      const conditions = node.parts.map((part) => condition(frame, part, wanted))
      return joined((node.kind === 'and') === wanted ? 'and' : 'or', conditions)
    }
    case 'not':
      return condition(frame, node.operand, !wanted)
    case 'path': {
      const { way, attribute } = getWay(frame, node)
      return wrapped(way, buildComparison(frame, attribute, '$eq', wanted))
    }
    case 'compare':
      return compared(frame, node, wanted)
    case 'isNull':
      return nullness(frame, node.operand, node.negated !== wanted)
    case 'in':
      return contained(frame, node, wanted)
    case 'textTest':
      return textTested(frame, node, wanted)
    case 'conditional': {
      const of = (each: Expression, value: boolean): Condition => condition(frame, each, value)
      const { test, yes, no } = node
      return wanted
        ? joined('or', [
            joined('and', [of(test, true), of(yes, true)]),
            joined('and', [of(test, false), of(no, true)]),
          ])
        : joined('and', [
            joined('or', [of(test, false), of(yes, false)]),
            joined('or', [of(test, true), of(no, false)]),
          ])
    }
    case 'exists': {
      const { way, attribute } = listed(frame, node.list)
      const inner: FramedPath = {
        ...frame,
        schema: getSchemaBehind(attribute),
        element: node.variable,
      }
      const body = condition(inner, node.body, true)
      return wrapped(way, getSome(attribute, body, wanted))
    }
    default:
      throw new ExpressionError(node.range, 'the database cannot evaluate this')
  }
}

function getSome(
  attribute: ReturnType<typeof listed>['attribute'],
  body: Condition,
  wanted: boolean,
): Condition {
  if (isNever(body)) return wanted ? NEVER : ALWAYS
  const some: Condition = {
    kind: 'related',
    attribute,
    condition: isAlways(body) ? undefined : body,
  }
  return wanted ? some : { kind: 'not', condition: some }
}

function isAlways(part: Condition): boolean {
  return part.kind === 'and' && part.conditions.length === 0
}

function isNever(part: Condition): boolean {
  return part.kind === 'or' && part.conditions.length === 0
}

export function joined(kind: 'and' | 'or', parts: readonly Condition[]): Condition {
  const [neutral, decisive] = kind === 'and' ? [isAlways, isNever] : [isNever, isAlways]
  const decided = parts.find(decisive)
  if (decided !== undefined) return decided
  const conditions = parts.filter((part) => !neutral(part))
  return conditions.length === 1 && conditions[0] !== undefined ? conditions[0] : { kind, conditions }
}

const COMPLEMENT = { '==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const
const MIRRORED = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const
const OPERATORS = { '==': '$eq', '!=': '$ne', '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const

function compared(
  frame: FramedPath,
  node: Extract<Expression, { kind: 'compare' }>,
  wanted: boolean,
): Condition {
  const turned = isKnown(node.left)
  const [left, right] = turned ? [node.right, node.left] : [node.left, node.right]
  const asked = turned ? MIRRORED[node.operator] : node.operator
  const operator = wanted ? asked : COMPLEMENT[asked]
  if (isKnown(right) && left.kind === 'path') {
    const { way, attribute } = getWay(frame, left)
    const value = getStoredValue(attribute, frame.known(right))
    if (value === null) return NEVER
    if (value !== undefined)
      return wrapped(way, buildComparison(frame, attribute, OPERATORS[operator], value))
  }
  return { kind: 'compareValues', operator, left: getRowValue(frame, left), right: getRowValue(frame, right) }
}

function nullness(frame: FramedPath, operand: Expression, wantsNull: boolean): Condition {
  const some: Condition =
    operand.kind !== 'path'
      ? { kind: 'not', condition: { kind: 'valueIsNull', value: getRowValue(frame, operand) } }
      : present(frame, operand)
  return wantsNull ? { kind: 'not', condition: some } : some
}

function present(frame: FramedPath, path: PathNode): Condition {
  const { way, attribute, last } = getWay(frame, path)
  if (last === undefined) return wrapped(way, buildComparison(frame, attribute, '$notNull'))
  return wrapped(way.slice(0, -1), { kind: 'related', attribute: last, condition: undefined })
}

function contained(frame: FramedPath, node: Extract<Expression, { kind: 'in' }>, wanted: boolean): Condition {
  const { element, list } = node
  if (isKnown(list)) {
    const values = frame.known(list)
    if (!Array.isArray(values)) return NEVER
    if (element.kind !== 'path')
      throw new ExpressionError(element.range, 'before "in" the database needs an attribute or the caller')
    const { way, attribute } = getWay(frame, element)
    const given = values.flatMap((value: Plain) => getStoredValue(attribute, value) ?? [])
    if (given.length === 0) return wanted ? NEVER : ALWAYS
    return wrapped(way, buildComparison(frame, attribute, wanted ? '$in' : '$notIn', given))
  }
  if (list.kind !== 'path' || !isKnown(element))
    throw new ExpressionError(
      node.range,
      'the database cannot evaluate whether one entry is in the list of another',
      'one of both must be the caller, or a written list',
    )
  const { way, attribute } = listed(frame, list)
  const id = frame.known(element)
  if (typeof id !== 'number') return NEVER
  const target = getSchemaBehind(attribute)
  const same = buildComparison(frame, target.id, '$eq', id)
  return wrapped(way, getSome(attribute, same, wanted))
}

function textTested(
  frame: FramedPath,
  { test, text, part }: Extract<Expression, { kind: 'textTest' }>,
  wanted: boolean,
): Condition {
  const turned = (positive: Condition): Condition =>
    wanted ? positive : { kind: 'not', condition: positive }
  if (isKnown(part)) {
    const value = frame.known(part)
    if (typeof value !== 'string') return NEVER
    if (text.kind === 'path') {
      const { way, attribute } = getWay(frame, text)
      return wrapped(way, turned(buildComparison(frame, attribute, `$${test}`, value)))
    }
  }
  return turned({ kind: 'textTest', test, text: getRowValue(frame, text), part: getRowValue(frame, part) })
}
