// The i18n plugin: its locales. That entries have one is the business of the model, the planner and `content/`.

import type { Plugin } from '../plugin.ts'
import { checkLocales } from './check-locales.ts'
import { i18nContribution } from './contribution.ts'
import { graphqlLocales } from './graphql-locales.ts'
import { listLocales, localeRoutes } from './locale-routes.ts'
import { warnUnlisted } from './warn-unlisted.ts'

export const i18nPlugin: Plugin = {
  name: 'i18n',
  enable(settings) {
    checkLocales(settings)
    const locales = listLocales(settings)
    return {
      contribution: i18nContribution,
      activate: (context) => ({
        routes: localeRoutes(context, locales),
        graphql: () => graphqlLocales(locales),
        prepare: () => warnUnlisted(context),
      }),
    }
  },
}
