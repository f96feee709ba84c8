// What of a content-type exists for the caller: the one place from which lists, populated members, filters and sorts
// through relations, and payloads that name entries take it. Drafts that the caller may not see and entries that no
// rule allows are not there, however they are reached.

import type { Access, EntryRule, ReadAction } from '../../model/access.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { hidesDrafts, isContentType } from '../find-attribute.ts'
import { operators } from '../operators.ts'
import { countPredicate, type PlanContext } from '../planning.ts'
import type { Condition } from '../read-plan.ts'
import { all } from './condition-logic.ts'
import { joined, planExpression } from './plan-expression.ts'

/** The condition that entries behind a relation exist for the caller; undefined if all do, and for components. */
export function existingBehind(planning: PlanContext, schema: Schema): Condition | undefined {
  const conditions = [seenDrafts(planning, schema), getRule(planning, schema, 'find')]
  const present = conditions.filter((condition) => condition !== undefined)
  for (const _ of present) countPredicate(planning)
  return all(present)
}

/** Whether there may be entries of the type that the caller does not see. */
export function hidesSome(access: Access, type: ContentType): boolean {
  const drafts = type.publishedAt !== undefined && !access.seesDrafts(type)
  return drafts || access.findRule(type, 'find') !== undefined
}

/** The condition that an entry is published, or a draft that the caller may see; undefined if there are no others. */
export function seenDrafts(planning: PlanContext, schema: Schema): Condition | undefined {
  if (!hidesDrafts(planning, schema) || !isContentType(schema)) return undefined
  const published = isPublished(schema)
  const own = planning.access.findDraftRule(schema)
  if (published === undefined || own === undefined) return published
  return joined('or', [published, anyHolds(planning, schema, own)])
}

function isPublished({ publishedAt }: ContentType): Condition | undefined {
  const operator = operators.get('$notNull')
  if (operator === undefined) throw new TypeError('the operator table lacks $notNull')
  return publishedAt === undefined
    ? undefined
    : { kind: 'compare', attribute: publishedAt, operator, slots: [] }
}

/** The condition that the caller's rule makes about entries of the type; undefined if there is no rule. */
export function getRule(planning: PlanContext, schema: Schema, action: ReadAction): Condition | undefined {
  if (!isContentType(schema)) return undefined
  const rule = planning.access.findRule(schema, action)
  if (rule === undefined) return undefined
  return anyHolds(planning, schema, rule)
}

function anyHolds(planning: PlanContext, schema: ContentType, { anyOf, variables }: EntryRule): Condition {
  return joined(
    'or',
    anyOf.map((where) => planExpression(planning, schema, where, variables)),
  )
}
