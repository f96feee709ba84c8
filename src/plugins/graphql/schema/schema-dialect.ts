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
  /** Locales in arguments: what a client says to ask for all, and whether a variable may hold an unknown one. */
  readonly localeCodes: { readonly every: string; readonly anyVariable: boolean }
  /** Types that an extension may name, besides those that every schema has. */
  readonly known: readonly GraphQLNamedType[]
  rootFields(type: ContentType, types: EntryTypes, building: SchemaBuilding): RootFields
  /** Mutations that come after those of all content-types. */
  laterMutations(type: ContentType, types: EntryTypes, building: SchemaBuilding): Record<string, Field>
}

export const schemaDialects: Readonly<Record<DialectName, SchemaDialect>> = {
  'strapi-4': {
    localeCodes: { every: 'all', anyVariable: false },
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
    localeCodes: { every: '*', anyVariable: true },
    known: [Pagination, PublicationStatusEnum, PublicationFilterEnum],
    createEnvelopes: createDocumentEnvelopes,
    // The root field chooses the version of everything below it.
    stateArguments: () => ({}),
    rootFields: documentRootFieldsOf,
    laterMutations: () => ({}),
  },
}
