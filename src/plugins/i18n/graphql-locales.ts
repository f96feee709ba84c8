// `i18NLocale` and `i18NLocales`: the locales of the file in GraphQL. The `locale` of entries is in the generated
// schema.

import type { GraphqlExtension } from '../graphql-extension.ts'
import type { Locale } from './locale-routes.ts'
import { selectLocales } from './select-locales.ts'

const typeDefs = `
type I18NLocale { name: String code: String createdAt: DateTime updatedAt: DateTime }
type I18NLocaleEntity { id: ID attributes: I18NLocale }
type I18NLocaleEntityResponse { data: I18NLocaleEntity }
type I18NLocaleEntityResponseCollection { data: [I18NLocaleEntity!]! meta: ResponseCollectionMeta! }
input I18NLocaleFiltersInput {
  id: IDFilterInput
  name: StringFilterInput
  code: StringFilterInput
  createdAt: DateTimeFilterInput
  updatedAt: DateTimeFilterInput
  and: [I18NLocaleFiltersInput]
  or: [I18NLocaleFiltersInput]
  not: I18NLocaleFiltersInput
}
type Query {
  i18NLocale(id: ID): I18NLocaleEntityResponse
  i18NLocales(filters: I18NLocaleFiltersInput, pagination: PaginationArg = {}, sort: [String] = []): I18NLocaleEntityResponseCollection
}
`

const listLocales = { scope: ['plugin::i18n.locales.listLocales'] }

export function graphqlLocales(locales: readonly Locale[]): GraphqlExtension {
  return {
    typeDefs,
    resolvers: {
      Query: {
        i18NLocale: (_parent, { id }) => ({
          data: entityOf(locales.find((locale) => String(locale.id) === String(id))),
        }),
        i18NLocales: (_parent, args) => {
          const { shown, pagination } = selectLocales(locales, args)
          return { data: shown.map(entityOf), meta: { pagination } }
        },
      },
    },
    auth: { 'Query.i18NLocale': listLocales, 'Query.i18NLocales': listLocales },
  }
}

function entityOf(locale: Locale | undefined): { id: number; attributes: Locale } | null {
  return locale === undefined ? null : { id: locale.id, attributes: locale }
}
