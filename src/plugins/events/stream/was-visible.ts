// Evaluates rules on an entry as it was before a change. Unknown means invisible, so that callers learn only
// of entries that they could see.

import { evaluateExpression } from '../../../expressions/evaluate-expression.ts'
import type { Access, EntryRule } from '../../../model/access.ts'
import type { FeedEvent } from '../../feed.ts'
import { isKnownOfPast } from '../feed/image-paths.ts'

type PastEvent = Pick<FeedEvent, 'type' | 'before'>

export function wasVisible({ type, before }: PastEvent, access: Access, live: boolean): boolean {
  const rule = access.findRule(type, 'find')
  if (rule !== undefined && !holds(type, rule, before)) return false
  if (type.publishedAt === undefined || !type.draftAndPublish) return true
  if (before === undefined) return false
  if (before[type.publishedAt.name] !== null) return true
  if (live) return false
  const own = access.findDraftRule(type)
  return access.seesDrafts(type) || (own !== undefined && holds(type, own, before))
}

function holds(
  type: FeedEvent['type'],
  { anyOf, variables }: EntryRule,
  entry: FeedEvent['before'],
): boolean {
  const asked = anyOf.filter((one) => isKnownOfPast(type, one))
  return entry !== undefined && asked.some((one) => evaluateExpression(one, { entry, variables }) === true)
}

export function seesAll(type: FeedEvent['type'], access: Access, live: boolean): boolean {
  if (access.findRule(type, 'find') !== undefined) return false
  return !type.draftAndPublish || (!live && access.seesDrafts(type))
}
