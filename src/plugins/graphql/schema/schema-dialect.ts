// What the generated schema says differently for the clients of each Strapi, as a record.

import type { GraphQLNamedType } from 'graphql'
import type { DialectName } from '../../../config/config.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { GraphqlUpload } from '../fields/scalars.ts'
import {
  Pagination,
  PublicationFilterEnum,
  PublicationStateEnum,
  PublicationStatusEnum,
  ResponseCollectionMeta,
} from './common-types.ts'
import { createDocumentEnvelopes } from './document-envelopes.ts'
import { documentRootFieldsOf } from './document-root-fields.ts'
import { createEntityEnvelopes, type Field } from './entry-envelopes.ts'
import { localizationField } from './localization-field.ts'
import type { EntryForms, EntryTypes } from './output-types.ts'
import { type RootFields, rootFieldsOf } from './root-fields.ts'
import type { SchemaBuilding } from './schema-building.ts'

export interface SchemaDialect extends EntryForms {
  /** What a client says in place of a locale to ask for all. */
  readonly everyLocale: string
  /** Types that an extension may name, besides those that every schema has. */
  readonly known: readonly GraphQLNamedType[]
  rootFields(type: ContentType, types: EntryTypes, building: SchemaBuilding): RootFields
  /** Mutations that come after those of all content-types. */
  laterMutations(type: ContentType, types: EntryTypes, building: SchemaBuilding): Record<string, Field>
}

export const schemaDialects: Readonly<Record<DialectName, SchemaDialect>> = {
  'strapi-4': {
    everyLocale: 'all',
    known: [ResponseCollectionMeta, GraphqlUpload],
    createEnvelopes: createEntityEnvelopes,
    stateArguments: ({ publishedAt }) =>
      publishedAt === undefined
        ? {}
        : { publicationState: { type: PublicationStateEnum, defaultValue: 'live' } },
    rootFields: rootFieldsOf,
    laterMutations: localizationField,
  },
  'strapi-5': {
    everyLocale: '*',
    known: [Pagination, PublicationStatusEnum, PublicationFilterEnum],
    createEnvelopes: createDocumentEnvelopes,
    // The root field chooses the version of everything below it.
    stateArguments: () => ({}),
    rootFields: documentRootFieldsOf,
    laterMutations: () => ({}),
  },
}
