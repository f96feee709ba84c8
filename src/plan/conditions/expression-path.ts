// Resolves paths of attributes in expressions.

import type { ScalarValue } from '../../attribute-types/attribute-type.ts'
import { type Expression, ExpressionError, type PathNode } from '../../expressions/expression.ts'
import type { Plain } from '../../expressions/values.ts'
import { InvariantError, invariant } from '../../lib/errors/invariant.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import { getSchemaBehind, type LeadingAttribute } from '../../model/attribute-targets.ts'
import type { Schema } from '../../model/content-type.ts'
import { getAttribute } from '../../model/expression-scope.ts'
import { type Operator, operators } from '../operators.ts'
import { type PlanContext, slot } from '../planning.ts'
import type { Condition } from '../read-plan.ts'

/** The row that unprefixed names refer to: an entry, or a loop's element. */
export interface FramedPath {
  readonly planning: PlanContext
  readonly schema: Schema
  readonly element: string | undefined
  /** Evaluates an expression that refers to no row. */
  known(node: Expression): Plain
  condition(frame: FramedPath, node: Expression, wanted: boolean): Condition
}

interface PathWay {
  readonly way: readonly LeadingAttribute[]
  readonly attribute: ScalarAttribute
  readonly last: LeadingAttribute | undefined
}

export function getWay(frame: FramedPath, path: PathNode): PathWay {
  const { way, end } = follow(frame, path)
  if (end.kind === 'scalar') return { way, attribute: end, last: undefined }
  return { way: [...way, end], attribute: getSchemaBehind(end).id, last: end }
}

export function listed(
  frame: FramedPath,
  path: PathNode,
): { readonly way: readonly LeadingAttribute[]; readonly attribute: LeadingAttribute } {
  const { way, end } = follow(frame, path)
  invariant(end.kind !== 'scalar', 'a list is no scalar attribute')
  return { way, attribute: end }
}

function follow(
  frame: FramedPath,
  { root, names, range }: PathNode,
): { way: LeadingAttribute[]; end: LeadingAttribute | ScalarAttribute } {
  const isOwn = root.kind === 'element' ? root.name === frame.element : frame.element === undefined
  if (root.kind === 'variable' || !isOwn)
    throw new ExpressionError(
      range,
      'within exists() the database compares only attributes of the one with what is known of the caller',
    )
  const way: LeadingAttribute[] = []
  let at = frame.schema
  for (const [index, name] of names.entries()) {
    const attribute = getAttribute(at, name)
    invariant(attribute !== undefined, `the expression was checked: ${at.uid} has ${name}`)
    if (index === names.length - 1) return { way, end: buildStep(attribute) }
    const step = buildStep(attribute)
    invariant(step.kind !== 'scalar', 'a scalar attribute is the end of a path')
    way.push(step)
    at = getSchemaBehind(step)
  }
  return { way, end: at.id }
}

function buildStep(attribute: ReturnType<typeof getAttribute>): LeadingAttribute | ScalarAttribute {
  switch (attribute?.kind) {
    case 'scalar':
    case 'media':
    case 'component':
      return attribute
    case 'relation':
      invariant(attribute.target !== undefined, 'a checked path leads to one content-type')
      return attribute as LeadingAttribute
    default:
      throw new InvariantError('a checked path leads through no dynamic zone')
  }
}

/** False if the last row is missing. A rule sees all related entries, hidden ones too. */
export function wrapped(way: readonly LeadingAttribute[], condition: Condition): Condition {
  return way.reduceRight<Condition>(
    (inner, attribute) => ({ kind: 'related', attribute, condition: inner }),
    condition,
  )
}

export function getOperator(name: string): Operator {
  const operator = operators.get(name)
  invariant(operator !== undefined, `the operator table lacks ${name}`)
  return operator
}

export function buildComparison(
  { planning }: Pick<FramedPath, 'planning'>,
  attribute: ScalarAttribute,
  name: string,
  ...values: readonly (ScalarValue | readonly ScalarValue[])[]
): Condition {
  const slots = values.map((value) => slot(planning, value))
  const found = { kind: 'compare', attribute, operator: getOperator(name), slots } as const
  return attribute.private ? { ...found, byRule: true } : found
}

/**
 * Converts a value to the attribute's stored form. Null: no comparison with it is true. Undefined: the column
 * cannot be compared with it directly.
 */
export function getStoredValue({ name, type }: ScalarAttribute, value: Plain): ScalarValue | undefined {
  if (value === null || typeof value === 'object') return null
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  if (name !== 'id' && type === 'biginteger') {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined
    return BigInt(value)
  }
  return Number(value)
}
