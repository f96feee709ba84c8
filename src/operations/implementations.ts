// The parts that the operations of entries and documents share.

import { explainHiddenDrafts } from '../access/explain-refusal.ts'
import type { Permissions } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ActionName } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { Content } from '../write/content.ts'
import type { ReadOperation, WriteOperation } from './operation.ts'

export interface Implementations {
  readonly read: Readonly<Partial<Record<ActionName, ReadOperation['prepare']>>>
  readonly write: Readonly<Partial<Record<ActionName, Pick<WriteOperation, 'prepare' | 'prepareOutput'>>>>
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

export function createNotFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
