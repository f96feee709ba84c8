// Lists the differences between the generated schemas of Strapi 4 and 5.

import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
} from 'graphql'
import type { ApiVersion } from '../../../config/config.ts'
import { takesData } from '../../../model/actions.ts'
import { GraphqlUpload } from '../fields/scalars.ts'
import { getQueryNames } from '../graphql-names.ts'
import {
  DeleteMutationResponse,
  Pagination,
  PublicationFilterEnum,
  PublicationStateEnum,
  PublicationStatusEnum,
  ResponseCollectionMeta,
} from './common-types.ts'
import { createDocumentEnvelopes } from './document-envelopes.ts'
import { createEntityEnvelopes } from './entry-envelopes.ts'
import type { EntryForms } from './output-types.ts'
import type { RootForm } from './root-fields.ts'

export interface SchemaRules extends EntryForms, RootForm {
  /** `every` means all locales; `anyVariable` permits unknown locales in variables. */
  readonly localeCodes: { readonly every: string; readonly anyVariable: boolean }
  /** Types that an extension may name, besides those of every schema. */
  readonly known: readonly GraphQLNamedType[]
}

const ID = { type: GraphQLID }
const NEEDED_ID = { type: new GraphQLNonNull(GraphQLID) }
const publicationState: GraphQLFieldConfigArgumentMap = {
  publicationState: { type: PublicationStateEnum, defaultValue: 'live' },
}
const status: GraphQLFieldConfigArgumentMap = {
  status: { type: PublicationStatusEnum, defaultValue: 'published' },
}
/** Every content-type has these arguments, even without drafts. */
const versions: GraphQLFieldConfigArgumentMap = {
  ...status,
  hasPublishedVersion: { type: GraphQLBoolean },
  publicationFilter: { type: PublicationFilterEnum },
}

export const schemaRules: Readonly<Record<ApiVersion, SchemaRules>> = {
  'strapi-4': {
    localeCodes: { every: 'all', anyVariable: false },
    known: [ResponseCollectionMeta, GraphqlUpload],
    createEnvelopes: createEntityEnvelopes,
    stateArguments: ({ publishedAt }) => (publishedAt === undefined ? {} : publicationState),
    localeDescription: undefined,
    targetArguments({ type, action, effect, hasId }) {
      if (action === 'createLocalization') return { id: ID }
      if (hasId) return { id: effect === 'read' ? ID : NEEDED_ID }
      const isSingle = action === 'find' && type.kind === 'singleType'
      return isSingle && type.publishedAt !== undefined ? publicationState : {}
    },
    reading({ type, output }, types) {
      const { one, many } = getQueryNames(type)
      if (output === 'entry') return [{ name: one, type: types.one(type) }]
      return many === undefined ? [] : [{ name: many, type: types.collection(type) }]
    },
    writtenType: ({ type }, types) => types.one(type),
  },
  'strapi-5': {
    localeCodes: { every: '*', anyVariable: true },
    known: [Pagination, PublicationStatusEnum, PublicationFilterEnum],
    createEnvelopes: createDocumentEnvelopes,
    // The root field chooses the version of everything below it.
    stateArguments: () => ({}),
    localeDescription: 'The locale to use for the query',
    targetArguments: ({ effect, hasId, takes }) => ({
      ...(hasId && { documentId: NEEDED_ID }),
      ...(effect === 'read' ? versions : takesData({ takes }) ? status : {}),
    }),
    reading({ type, output }, types) {
      const { one, many } = getQueryNames(type)
      const entry = types.one(type)
      if (output === 'entry') return [{ name: one, type: entry, isBare: true }]
      if (many === undefined) return []
      return [
        { name: `${many}_connection`, type: types.collection(type) },
        { name: many, type: new GraphQLNonNull(new GraphQLList(entry)), isBare: true },
      ]
    },
    writtenType: ({ type, output }, types) =>
      output === 'nothing' ? DeleteMutationResponse : types.one(type),
  },
}
