// What the i18n plugin adds to the model: the action that lists the locales.

import type { ModelContribution } from '../../model/contribution.ts'

export const i18nContribution: ModelContribution = {
  plugin: 'i18n',
  contentTypes: {},
  actions: ['plugin::i18n.locales.listLocales'],
}
