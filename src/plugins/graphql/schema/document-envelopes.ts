// Builds Strapi 5's GraphQL types: entries are flat, and `x_connection` beside a list shows its page.

import { GraphQLID, GraphQLList, GraphQLNonNull, type GraphQLObjectType } from 'graphql'
import type { ContentType, Schema } from '../../../model/content-type.ts'
import { nameOfType } from '../../../model/naming.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import { withFacts } from '../fields/field-facts.ts'
import {
  getHighlightField,
  getVersionField,
  Pagination,
  ResponseCollectionMeta,
  writeCounts,
} from './common-types.ts'
import {
  createWrappers,
  type EntryEnvelopes,
  type EnvelopeOptions,
  type Field,
  type Fields,
  rowId,
} from './entry-envelopes.ts'

export function createDocumentEnvelopes({
  building,
  getObject: objectOf,
  listArguments,
}: EnvelopeOptions): EntryEnvelopes {
  const { resolvers, v4Compatible } = building
  const wrapper = createWrappers()

  const entries = (type: ContentType, more: Partial<Field> = {}): Field => ({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(objectOf(type)))),
    resolve: resolvers.nodes,
    extensions: withFacts({ shows: 'entries', property: true }),
    ...more,
  })

  function getIds(schema: Schema): Fields {
    if (!isContentType(schema)) return { id: rowId }
    const documentId = schema.document?.documentId
    if (documentId === undefined) return {}
    return {
      documentId: {
        type: new GraphQLNonNull(GraphQLID),
        extensions: withFacts({ attribute: documentId }),
      },
      // Other types have the fields of Strapi's, which clients compare.
      ...(schema.concurrency === undefined ? {} : getVersionField(schema)),
      ...getHighlightField(schema),
      ...(v4Compatible ? { id: { ...rowId, deprecationReason: 'Use `documentId` instead' } } : {}),
    }
  }

  /** The entry again, for clients of Strapi 4. */
  const itself = (schema: Schema): Field => ({
    type: new GraphQLNonNull(objectOf(schema as ContentType)),
    resolve: (parent) => parent,
    extensions: withFacts({ shows: 'itself' }),
    deprecationReason: 'Use root level fields instead',
  })

  const compatible = (fields: Fields): Fields => (v4Compatible ? fields : {})

  const getRelationCollection = (type: ContentType): GraphQLObjectType =>
    wrapper(`${nameOfType(type)}RelationResponseCollection`, () => ({
      nodes: entries(type),
      ...compatible({ data: entries(type, USE_NODES) }),
    }))

  return {
    ids: (schema) => ({
      ...getIds(schema),
      ...compatible({ attributes: itself(schema), data: itself(schema) }),
    }),
    one: objectOf,
    response: (type) =>
      wrapper(`${nameOfType(type)}EntityResponse`, () => ({
        data: {
          type: objectOf(type),
          resolve: resolvers.value,
          extensions: withFacts({ shows: 'entry', property: true }),
        },
      })),
    collection: (type) =>
      wrapper(`${nameOfType(type)}EntityResponseCollection`, () => ({
        nodes: entries(type),
        pageInfo: {
          type: new GraphQLNonNull(Pagination),
          resolve: resolvers.pageInfo,
          extensions: withFacts({ shows: 'page' }),
        },
        ...compatible({
          data: entries(type, USE_NODES),
          meta: {
            type: new GraphQLNonNull(ResponseCollectionMeta),
            resolve: resolvers.meta,
            extensions: withFacts({ shows: 'meta' }),
            deprecationReason: 'Use the `pageInfo` field instead',
          },
        }),
      })),
    written: (type) =>
      wrapper(`${nameOfType(type)}WriteResponse`, () => ({ nodes: entries(type), ...writeCounts })),
    related(name, target, many, resolve) {
      if (!many) return { [name]: { type: objectOf(target), resolve: resolvers.bare(resolve) } }
      const args = listArguments(target)
      return {
        [`${name}_connection`]: { type: getRelationCollection(target), args, resolve },
        [name]: {
          type: new GraphQLNonNull(new GraphQLList(objectOf(target))),
          args,
          resolve: resolvers.bare(resolve),
        },
      }
    },
  }
}

const USE_NODES: Partial<Field> = { deprecationReason: 'Use `nodes` field instead' }
