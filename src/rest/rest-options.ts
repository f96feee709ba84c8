// The settings of the REST API.

import type { PageLimits } from '../plan/plan-page.ts'
import type { FileIntake } from '../write/file-intake.ts'
import type { DeepRules } from './parse-deep.ts'

export interface RestOptions extends PageLimits, DeepRules {
  readonly prefix: string
  readonly strict: boolean
  /** Undefined when uploads are not accepted. */
  readonly files?: FileIntake | undefined
}
