// What the configuration says about the REST API.

import type { Permissions } from '../auth/principal.ts'
import { seesDrafts } from '../auth/principal.ts'
import type { FileIntake } from '../content/file-intake.ts'
import { ApiError } from '../errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { RememberQueries } from './remember-queries.ts'

export interface RestOptions extends PageLimits {
  readonly prefix: string
  readonly strict: boolean
  /** Whether drafts are for everybody who may find; else only for those who may update. */
  readonly publicDrafts: boolean
  /** Where files of multipart bodies go; undefined where none are taken. */
  readonly files?: FileIntake | undefined
  readonly rememberQueries: RememberQueries
}

/** `publicationState=preview` from someone who may not see drafts. */
export function refuseHiddenDrafts(
  type: ContentType,
  params: Params,
  permissions: Permissions,
  options: RestOptions,
): void {
  if (params.publicationState === 'preview' && !seesDrafts(type, permissions, options)) {
    throw new ApiError('ForbiddenError', 'Forbidden')
  }
}

export function notFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
