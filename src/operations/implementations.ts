// How operations are implemented: the record that entries and documents fill in, and what both have in common.

import { draftsHidden } from '../access/explain-refusal.ts'
import type { Permissions } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ActionName } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { Content } from '../write/content.ts'
import type { ReadOperation, WriteOperation } from './operation.ts'

/** The operations of a content-type by action: how each reads or writes. */
export interface Implementations {
  readonly read: Readonly<Partial<Record<ActionName, ReadOperation['prepare']>>>
  readonly write: Readonly<Partial<Record<ActionName, Pick<WriteOperation, 'prepare' | 'prepareOutput'>>>>
}

/** The entry of a single type is read as a list of one. */
export const FIRST = { kind: 'offset', start: 0, limit: 1, withCount: false } as const

/** A list, or the entry of a single type. */
export function implementFind(type: ContentType, content: Content): ReadOperation['prepare'] {
  return (params, access, { limits, refusal } = {}) => {
    assertSeesDrafts(type, params, access, refusal)
    if (type.kind === 'collectionType') return content.prepareFind(type, params, access, limits)
    return content.prepareFind(type, { pagination: FIRST, ...params }, access)
  }
}

/** Throws ForbiddenError if the params ask for drafts that the caller may not see. */
export function assertSeesDrafts(
  type: ContentType,
  { publicationState = 'live' }: Params,
  permissions: Permissions,
  refusal = 'Forbidden',
): void {
  if (publicationState === 'live') return
  if (permissions.seesDrafts(type) || permissions.findDraftRule(type) !== undefined) return
  throw new ApiError('ForbiddenError', refusal).because(draftsHidden(type.uid))
}

export function notFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
