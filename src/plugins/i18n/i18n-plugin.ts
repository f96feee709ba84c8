// The i18n plugin: which locales exist, and what is localized. The model, the planner and `content/` handle entries in
// several locales.

import type { Plugin } from '../plugin.ts'
import { GRAPHQL_EXTENSION } from '../services.ts'
import { graphqlDocumentLocales, graphqlLocales } from './graphql-locales.ts'
import { listLocales, localeRoutes } from './locale-routes.ts'
import { localizedShorthand } from './localized-shorthand.ts'
import { checkLocales, parseLocales } from './options.ts'
import { warnUnlisted } from './warn-unlisted.ts'

export const i18nPlugin: Plugin = {
  name: 'i18n',
  shorthands: localizedShorthand,
  graphqlNames: {
    fields: ['i18NLocale', 'i18NLocales', 'i18NLocales_connection'],
    typePrefixes: ['I18NLocale'],
  },
  enable(settings) {
    checkLocales(settings)
    const rules = parseLocales(settings.config)
    const locales = listLocales(rules, settings)
    return {
      contribution: {
        plugin: 'i18n',
        paths: ['i18n'],
        contentTypes: {},
        actions: ['plugin::i18n.locales.listLocales'],
        locales: rules,
      },
      activate: (context) => ({
        routes: localeRoutes(locales),
        provides: [
          GRAPHQL_EXTENSION.provide(() =>
            context.model.dialect.documents ? graphqlDocumentLocales(locales) : graphqlLocales(locales),
          ),
        ],
        prepare: () => warnUnlisted(context),
      }),
    }
  },
}
