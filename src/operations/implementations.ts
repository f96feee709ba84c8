// The parts that the operations of entries and documents share.

import { explainHiddenDrafts } from '../access/explain-refusal.ts'
import type { Permissions } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { OperationName } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { Content } from '../write/content.ts'
import type { ReadOperation, SummaryOperation, WriteOperation } from './operation.ts'

export interface Implementations {
  readonly read: Readonly<Partial<Record<OperationName, ReadOperation['prepare']>>>
  readonly write: Readonly<Partial<Record<OperationName, Pick<WriteOperation, 'prepare' | 'prepareOutput'>>>>
}

export const FIRST = { kind: 'offset', start: 0, limit: 1, withCount: false } as const

export function implementFind(type: ContentType, content: Content): ReadOperation['prepare'] {
  return (params, access, { limits, refusal } = {}) => {
    assertSeesDrafts(type, params, access, refusal)
    if (type.kind === 'collectionType') return content.prepareFind(type, params, access, limits)
    return content.prepareFind(type, { pagination: FIRST, ...params }, access)
  }
}

/** Throws ForbiddenError if the params request drafts that the caller may not see. */
export function assertSeesDrafts(
  type: ContentType,
  { publicationState = 'live' }: Params,
  permissions: Permissions,
  refusal = 'Forbidden',
): void {
  if (publicationState === 'live') return
  if (permissions.seesDrafts(type) || permissions.findDraftRule(type) !== undefined) return
  throw new ApiError('ForbiddenError', refusal).because(explainHiddenDrafts(type.uid))
}

/** One response has at most so many groups. */
const MAX_GROUPS = 1000
const GROUPS = { defaultLimit: MAX_GROUPS, maxLimit: MAX_GROUPS, withCount: true } as const

export function implementSummary(type: ContentType, content: Content): SummaryOperation['prepare'] {
  return (params, aggregate, access, { refusal } = {}) => {
    assertSeesDrafts(type, params, access, refusal)
    return content.prepareAggregate(type, params, aggregate, access, GROUPS)
  }
}

export function createNotFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
