// Adds `i18NLocale` and `i18NLocales` to GraphQL, which return the file's locales.

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

const VERSIONS =
  'status: PublicationStatus = PUBLISHED, hasPublishedVersion: Boolean, publicationFilter: PublicationFilter'
const LIST = 'filters: I18NLocaleFiltersInput, pagination: PaginationArg = {}, sort: [String] = []'
const documentTypeDefs = `
type I18NLocale { documentId: ID! name: String code: String createdAt: DateTime updatedAt: DateTime publishedAt: DateTime }
type I18NLocaleEntityResponseCollection { nodes: [I18NLocale!]! pageInfo: Pagination! }
input I18NLocaleFiltersInput {
  documentId: IDFilterInput
  name: StringFilterInput
  code: StringFilterInput
  createdAt: DateTimeFilterInput
  updatedAt: DateTimeFilterInput
  publishedAt: DateTimeFilterInput
  and: [I18NLocaleFiltersInput]
  or: [I18NLocaleFiltersInput]
  not: I18NLocaleFiltersInput
}
type Query {
  i18NLocale(documentId: ID!, ${VERSIONS}): I18NLocale
  i18NLocales_connection(${LIST}, ${VERSIONS}): I18NLocaleEntityResponseCollection
  i18NLocales(${LIST}, ${VERSIONS}): [I18NLocale]!
}
`

const listLocales = { scope: ['plugin::i18n.locales.listLocales'] }

export function createGraphqlLocales(locales: readonly Locale[]): GraphqlExtension {
  return {
    typeDefs,
    resolvers: {
      Query: {
        i18NLocale: (_parent, { id }) => ({
          data: getEntity(locales.find((locale) => String(locale.id) === String(id))),
        }),
        i18NLocales: (_parent, args) => {
          const { shown, pagination } = selectLocales(locales, args)
          return { data: shown.map(getEntity), meta: { pagination } }
        },
      },
    },
    auth: { 'Query.i18NLocale': listLocales, 'Query.i18NLocales': listLocales },
  }
}

/** Strapi 5: locales are flat, with a page beside the list. */
export function createGraphqlDocumentLocales(locales: readonly Locale[]): GraphqlExtension {
  const listed = (args: Readonly<Record<string, unknown>>) => {
    const { shown, pagination } = selectLocales(locales, args)
    return { nodes: shown, pageInfo: pagination }
  }
  return {
    typeDefs: documentTypeDefs,
    resolvers: {
      Query: {
        i18NLocale: (_parent, { documentId }) =>
          locales.find((locale) => locale.documentId === documentId) ?? null,
        i18NLocales_connection: (_parent, args) => listed(args),
        i18NLocales: (_parent, args) => listed(args).nodes,
      },
    },
    auth: Object.fromEntries(
      ['i18NLocale', 'i18NLocales_connection', 'i18NLocales'].map((name) => [`Query.${name}`, listLocales]),
    ),
  }
}

function getEntity(locale: Locale | undefined): { id: number; attributes: Locale } | null {
  return locale === undefined ? null : { id: locale.id, attributes: locale }
}
