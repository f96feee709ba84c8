// Plans the visibility of entries for lists, populated fields, filters, sorts and payloads: drafts and
// entries hidden from the caller are absent everywhere.

import type { Access, EntryRule, ReadAction, WriteAction } from '../../model/access.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { hidesDrafts, isContentType } from '../find-attribute.ts'
import { operators } from '../operators.ts'
import { countPredicate, type PlanContext } from '../planning.ts'
import type { Condition } from '../read-plan.ts'
import { all } from './condition-logic.ts'
import { joined, planExpression } from './plan-expression.ts'

export function getExistingBehind(planning: PlanContext, schema: Schema): Condition | undefined {
  const conditions = [planSeenDrafts(planning, schema), getRule(planning, schema, 'find')]
  const present = conditions.filter((condition) => condition !== undefined)
  for (const _ of present) countPredicate(planning)
  return all(present)
}

/** Also leaves out entries in another state than those that the request shows. */
export function getShownBehind(planning: PlanContext, schema: Schema): Condition | undefined {
  const { state } = planning
  const present = [
    state === 'preview' || !isContentType(schema) ? undefined : isInState(schema, state),
    getExistingBehind(planning, schema),
  ]
  return all(present.filter((condition) => condition !== undefined))
}

export function hidesSome(access: Access, type: ContentType): boolean {
  const drafts = type.publishedAt !== undefined && !access.seesDrafts(type)
  return drafts || access.findRule(type, 'find') !== undefined
}

/** Undefined if the caller sees all drafts, or the type has none. */
export function planSeenDrafts(planning: PlanContext, schema: Schema): Condition | undefined {
  if (!hidesDrafts(planning, schema) || !isContentType(schema)) return undefined
  const published = isInState(schema, 'live')
  const own = planning.access.findDraftRule(schema)
  if (published === undefined || own === undefined) return published
  return joined('or', [published, anyHolds(planning, schema, own)])
}

function isInState({ publishedAt }: ContentType, state: 'live' | 'draft'): Condition | undefined {
  const operator = operators.get(state === 'live' ? '$notNull' : '$null')
  if (operator === undefined) throw new TypeError('the operator table lacks $null or $notNull')
  return publishedAt === undefined
    ? undefined
    : { kind: 'compare', attribute: publishedAt, operator, slots: [] }
}

export function getRule(planning: PlanContext, schema: Schema, action: ReadAction): Condition | undefined {
  if (!isContentType(schema)) return undefined
  const rule = planning.access.findRule(schema, action)
  if (rule === undefined) return undefined
  return anyHolds(planning, schema, rule)
}

/** The entries that the caller may write by the action. */
export function planWriteRule(
  planning: PlanContext,
  type: ContentType,
  action: WriteAction,
): Condition | undefined {
  const rule = planning.access.writeRule(type, action)
  const anyOf = rule?.alternatives.map(({ where }) => where)
  if (rule === undefined || anyOf === undefined || anyOf.includes(undefined)) return undefined
  const conditions = anyOf.filter((where) => where !== undefined)
  return anyHolds(planning, type, { anyOf: conditions, variables: rule.variables })
}

function anyHolds(planning: PlanContext, schema: ContentType, { anyOf, variables }: EntryRule): Condition {
  return joined(
    'or',
    anyOf.map((where) => planExpression(planning, schema, where, variables)),
  )
}
