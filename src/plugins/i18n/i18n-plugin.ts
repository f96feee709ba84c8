// The i18n plugin: its locales. That entries have one is the model's and the planner's business.

import type { Plugin } from '../plugin.ts'
import { i18nContribution } from './contribution.ts'
import { graphqlLocales } from './graphql-locales.ts'
import { listLocales, localeRoutes } from './locale-routes.ts'

export const i18nPlugin: Plugin = {
  name: 'i18n',
  enable(settings) {
    const locales = listLocales(settings)
    return {
      contribution: i18nContribution,
      activate: (context) => ({
        routes: localeRoutes(context, locales),
        graphql: () => graphqlLocales(locales),
      }),
    }
  },
}
