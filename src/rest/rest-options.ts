// The settings of the REST API.

import type { FileIntake } from '../content/file-intake.ts'
import type { PageLimits } from '../plan/plan-page.ts'

export interface RestOptions extends PageLimits {
  readonly prefix: string
  readonly strict: boolean
  /** Stores the files of multipart bodies; undefined when uploads are not accepted. */
  readonly files?: FileIntake | undefined
}
