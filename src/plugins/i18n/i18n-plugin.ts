// Declares the locales and the localized attributes; the model, the planner and `write/` handle the entries.

import type { Plugin, PluginContext } from '../plugin.ts'
import { GRAPHQL_EXTENSION } from '../services.ts'
import { createGraphqlDocumentLocales, createGraphqlLocales } from './graphql-locales.ts'
import { createLocaleRoutes, listLocales } from './locale-routes.ts'
import { localizedShorthand } from './localized-shorthand.ts'
import { checkLocales, parseLocales } from './options.ts'

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
        routes: createLocaleRoutes(locales),
        provides: [
          GRAPHQL_EXTENSION.provide(() =>
            context.model.apiVersion.documents
              ? createGraphqlDocumentLocales(locales)
              : createGraphqlLocales(locales),
          ),
        ],
        prepare: () => warnUnlisted(context),
      }),
    }
  },
}

/** Entries beyond these are only counted. */
const SAMPLE = { kind: 'offset', start: 0, limit: 100 } as const

/** Such entries are kept, but hardly any request finds them. */
async function warnUnlisted({ model, content, log }: PluginContext): Promise<void> {
  for (const type of model.contentTypes.values()) {
    const { locale } = type
    if (locale?.enum === undefined) continue
    const unlisted = { $notIn: locale.enum }
    const params = { publicationState: 'preview', fields: [locale.name], locale: unlisted } as const
    const total = await content.count(type, params)
    if (total === 0) continue
    const sample = await content.findAll(type, { ...params, pagination: SAMPLE })
    const codes = new Set(sample.map((entry) => String(entry[locale.name])))
    const some = total === 1 ? `1 entry of ${type.uid} stays` : `${total} entries of ${type.uid} stay`
    log.warn(
      `${some} in locales that the file does not list (${[...codes].join(', ')}): "locale=all" shows them`,
    )
  }
}
