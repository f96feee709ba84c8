// The attributes whose values can be kept with an event, and so the rules that can be evaluated about the past.

import { entryPaths } from '../../../expressions/entry-paths.ts'
import type { Expression } from '../../../expressions/expression.ts'
import type { Schema } from '../../../model/attribute.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { getAttribute } from '../../../model/expression-scope.ts'

/** Private values are not kept, and neither is what lies behind an attribute that is one of several types. */
export function isInImage(schema: Schema, [name, ...more]: readonly string[]): boolean {
  if (name === undefined) return true
  const attribute = getAttribute(schema, name)
  if (attribute === undefined || attribute.private) return false
  if (more.length === 0) return true
  if (attribute.kind === 'component') return isInImage(attribute.component, more)
  if (attribute.kind !== 'relation' && attribute.kind !== 'media') return false
  return attribute.target !== undefined && isInImage(attribute.target, more)
}

const known = new WeakMap<Expression, boolean>()

/** Whether everything that the rule looks at is kept: to an evaluation, what is missing is null. */
export function isKnownOfPast(type: ContentType, rule: Expression): boolean {
  let response = known.get(rule)
  if (response === undefined) {
    response = entryPaths(rule).every((names) => isInImage(type, names))
    known.set(rule, response)
  }
  return response
}
