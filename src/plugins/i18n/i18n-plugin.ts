// The i18n plugin: what it adds to the model.

import type { Plugin } from '../plugin.ts'
import { i18nContribution } from './contribution.ts'

export const i18nPlugin: Plugin = {
  name: 'i18n',
  enable: () => ({ contribution: i18nContribution }),
}
