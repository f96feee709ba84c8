// The plugins that come with the runtime, and what the enabled ones add to the model.

import type { Config } from '../config/config.ts'
import type { ModelContribution } from '../model/contribution.ts'
import { isPluginEnabled } from '../model/enabled-plugins.ts'
import { emailContribution } from './email/contribution.ts'
import { i18nContribution } from './i18n/contribution.ts'
import { uploadContribution } from './upload/content-types.ts'
import { usersPermissionsContribution } from './users-permissions/content-types.ts'

const contributions: readonly ModelContribution[] = [
  uploadContribution,
  usersPermissionsContribution,
  i18nContribution,
  emailContribution,
]

/** Contributions of the enabled plugins; upload and users-permissions are on unless the file says `false`. */
export function contributionsOf(config: Pick<Config, 'plugins'>): ModelContribution[] {
  return contributions.filter(({ plugin }) => isPluginEnabled(config, plugin))
}
