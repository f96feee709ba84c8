// Decides which rules can be evaluated about an entry's past.

import { listEntryPaths } from '../../../expressions/entry-paths.ts'
import type { Expression } from '../../../expressions/expression.ts'
import type { Schema } from '../../../model/attribute.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { getAttribute } from '../../../model/expression-scope.ts'

/** Excludes private values and values behind polymorphic attributes. */
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

/** An evaluation reads a missing value as null, so all values of the rule must be stored. */
export function isKnownOfPast(type: ContentType, rule: Expression): boolean {
  let response = known.get(rule)
  if (response === undefined) {
    response = listEntryPaths(rule).every((names) => isInImage(type, names))
    known.set(rule, response)
  }
  return response
}
