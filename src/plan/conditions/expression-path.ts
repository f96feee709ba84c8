// The way from a row to an attribute that an expression names, and comparisons at its end.

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

/** The row that names without a prefix mean: an entry, or the element of a loop. */
export interface FramedPath {
  readonly planning: PlanContext
  readonly schema: Schema
  /** The loop's variable; undefined for the entry itself. */
  readonly element: string | undefined
  /** The value of what names no row. */
  known(node: Expression): Plain
  /** Conditions within values, such as those of `? :`. */
  condition(frame: FramedPath, node: Expression, wanted: boolean): Condition
}

interface PathWay {
  /** Relations and components to one. */
  readonly way: readonly LeadingAttribute[]
  /** The compared attribute: the id where the path ends at an entry. */
  readonly attribute: ScalarAttribute
  /** The relation at the end of such a path. */
  readonly last: LeadingAttribute | undefined
}

export function getWay(frame: FramedPath, path: PathNode): PathWay {
  const { way, end } = follow(frame, path)
  if (end.kind === 'scalar') return { way, attribute: end, last: undefined }
  return { way: [...way, end], attribute: getSchemaBehind(end).id, last: end }
}

/** A path that ends at a relation or component to many. */
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

/** A condition about the row at the end of the way; false without one. Nothing is hidden from a rule. */
export function wrapped(way: readonly LeadingAttribute[], condition: Condition): Condition {
  return way.reduceRight<Condition>(
    (inner, attribute) => ({ kind: 'related', attribute, condition: inner }),
    condition,
  )
}

export function operatorNamed(name: string): Operator {
  const operator = operators.get(name)
  invariant(operator !== undefined, `the operator table lacks ${name}`)
  return operator
}

export function comparison(
  { planning }: Pick<FramedPath, 'planning'>,
  attribute: ScalarAttribute,
  name: string,
  ...values: readonly (ScalarValue | readonly ScalarValue[])[]
): Condition {
  const slots = values.map((value) => slot(planning, value))
  const found = { kind: 'compare', attribute, operator: operatorNamed(name), slots } as const
  return attribute.private ? { ...found, byRule: true } : found
}

/**
 * A known value in the form in which the attribute is stored and compared. Null: there is no value, so no comparison
 * holds. Undefined: the attribute's column cannot be compared with it as it is.
 */
export function storedValue({ name, type }: ScalarAttribute, value: Plain): ScalarValue | undefined {
  if (value === null || typeof value === 'object') return null
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  if (name !== 'id' && type === 'biginteger') {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined
    return BigInt(value)
  }
  return Number(value)
}
