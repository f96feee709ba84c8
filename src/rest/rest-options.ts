// The settings of the REST API.

import type { PageLimits } from '../plan/plan-page.ts'
import type { FileIntake } from '../write/file-intake.ts'

export interface RestOptions extends PageLimits {
  readonly prefix: string
  readonly strict: boolean
  /** Undefined when uploads are not accepted. */
  readonly files?: FileIntake | undefined
}
