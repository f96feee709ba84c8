// The settings of the REST API.

import { draftsHidden } from '../auth/explain-refusal.ts'
import type { Permissions } from '../auth/principal.ts'
import type { FileIntake } from '../content/file-intake.ts'
import { ApiError } from '../errors/api-error.ts'
import type { KeptAnswers } from '../http/kept-answers.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { RememberQueries } from './remember-queries.ts'

export interface RestOptions extends PageLimits {
  readonly prefix: string
  readonly strict: boolean
  /** Stores the files of multipart bodies; undefined when uploads are not accepted. */
  readonly files?: FileIntake | undefined
  readonly rememberQueries: RememberQueries
  readonly keptAnswers: KeptAnswers
}

/** Refuses `publicationState=preview` from callers who may not see drafts. */
export function refuseHiddenDrafts(type: ContentType, params: Params, permissions: Permissions): void {
  if (
    params.publicationState === 'preview' &&
    !permissions.seesDrafts(type) &&
    permissions.draftsOf(type) === undefined
  ) {
    throw new ApiError('ForbiddenError', 'Forbidden').because(draftsHidden(type.uid))
  }
}

export function notFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
