// The dialect of documents: root fields that address entries by documentId and choose a version by `status`. Every
// content-type has the same arguments, also one without drafts.

import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import type { ContentType } from '../../../model/content-type.ts'
import { nameOfType } from '../../../model/naming.ts'
import { graphqlQueryNames } from '../graphql-names.ts'
import { DeleteMutationResponse, PublicationFilterEnum, PublicationStatusEnum } from './common-types.ts'
import type { Field } from './entry-envelopes.ts'
import type { EntryTypes } from './output-types.ts'
import { dataArgument, generatesOf, needs, type RootFields } from './root-fields.ts'
import type { SchemaBuilding } from './schema-building.ts'

const status: GraphQLFieldConfigArgumentMap = {
  status: { type: PublicationStatusEnum, defaultValue: 'published' },
}
const versions: GraphQLFieldConfigArgumentMap = {
  ...status,
  hasPublishedVersion: { type: GraphQLBoolean },
  publicationFilter: { type: PublicationFilterEnum },
}
const documentId: GraphQLFieldConfigArgumentMap = { documentId: { type: new GraphQLNonNull(GraphQLID) } }

export function documentRootFieldsOf(
  type: ContentType,
  types: EntryTypes,
  building: SchemaBuilding,
): RootFields {
  const { shadowCrud, resolvers, localeCode } = building
  const { uid } = type
  const generates = generatesOf(type)
  const names = graphqlQueryNames(type)
  const single = type.kind === 'singleType'
  const input = types.inputs.data(type)
  const name = nameOfType(type)
  const locale: GraphQLFieldConfigArgumentMap =
    type.localized && localeCode !== undefined
      ? { locale: { type: localeCode, description: 'The locale to use for the query' } }
      : {}
  const one = types.one(type)
  const queries: Record<string, Field> = {}
  const mutations: Record<string, Field> = {}
  const serves = (action: string): boolean => shadowCrud.isActionEnabled(uid, action)

  if (generates.queries && shadowCrud.areQueriesEnabled(uid)) {
    if (single) {
      if (serves('find')) {
        const resolve = resolvers.findSingle(type)
        const args = { ...versions, ...locale }
        queries[names.one] = {
          type: one,
          args,
          resolve: resolvers.bare(resolve),
          ...needs(generates, 'find', true),
        }
      }
    } else {
      if (serves('findOne')) {
        const resolve = resolvers.findDocument(type)
        const args = { ...documentId, ...versions, ...locale }
        queries[names.one] = {
          type: one,
          args,
          resolve: resolvers.bare(resolve),
          ...needs(generates, 'findOne', true),
        }
      }
      if (serves('find') && names.many !== undefined) {
        const resolve = resolvers.find(type)
        const args = { ...types.listArguments(type), ...versions, ...locale }
        queries[`${names.many}_connection`] = {
          type: types.collection(type),
          args,
          resolve,
          ...needs(generates, 'find', true),
        }
        queries[names.many] = {
          type: new GraphQLNonNull(new GraphQLList(one)),
          args,
          resolve: resolvers.bare(resolve),
          ...needs(generates, 'find', true),
        }
      }
    }
  }
  if (generates.mutations && shadowCrud.areMutationsEnabled(uid)) {
    const addressed = single ? {} : documentId
    if (!single && serves('create') && input !== undefined) {
      mutations[`create${name}`] = {
        type: one,
        args: { ...status, ...dataArgument(input), ...locale },
        resolve: resolvers.createDocument(type),
        ...needs(generates, 'create'),
      }
    }
    if (serves('update') && input !== undefined) {
      mutations[`update${name}`] = {
        type: one,
        args: { ...addressed, ...status, ...dataArgument(input), ...locale },
        resolve: resolvers.updateDocument(type),
        ...needs(generates, 'update'),
      }
    }
    if (serves('delete')) {
      mutations[`delete${name}`] = {
        type: DeleteMutationResponse,
        args: { ...addressed, ...locale },
        resolve: resolvers.deleteDocument(type),
        ...needs(generates, 'delete'),
      }
    }
  }
  return { queries, mutations }
}
