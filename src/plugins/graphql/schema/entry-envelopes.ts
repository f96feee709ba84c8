// Defines the types around an entry's attributes, with one record for each API version.

import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql'
import type { ContentType, Schema } from '../../../model/content-type.ts'
import { nameOfType } from '../../../model/naming.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import { withFacts } from '../fields/field-facts.ts'
import { getHighlightField, getVersionField, ResponseCollectionMeta, writeCounts } from './common-types.ts'
import type { FieldShape, SchemaBuilding } from './schema-building.ts'

export type Field = GraphQLFieldConfig<unknown, GraphqlContext>
export type Fields = Record<string, Field>

export interface EntryEnvelopes {
  /** Fields that show no declared attribute. */
  ids(schema: Schema): Fields
  one(type: ContentType): GraphQLObjectType
  collection(type: ContentType): GraphQLObjectType
  /** `<Name>WriteResponse`: the entries that one operation wrote. */
  written(type: ContentType): GraphQLObjectType
  /** `<Name>EntityResponse`, for mutations of plugins. */
  response(type: ContentType): GraphQLObjectType
  /** `resolve` returns the relation or media attribute. */
  related(
    name: string,
    target: ContentType,
    many: boolean,
    resolve: GraphqlResolver,
  ): Record<string, FieldShape>
}

export interface EnvelopeOptions {
  readonly building: SchemaBuilding
  getObject(type: ContentType): GraphQLObjectType
  listArguments(type: ContentType): GraphQLFieldConfigArgumentMap
}

/** `{ data { id attributes { … } } }`. */
export function createEntityEnvelopes({
  building,
  getObject,
  listArguments,
}: EnvelopeOptions): EntryEnvelopes {
  const { resolvers } = building
  const wrapper = createWrappers()

  const getEntity = (type: ContentType): GraphQLObjectType =>
    wrapper(`${nameOfType(type)}Entity`, () => ({
      id: { type: GraphQLID, extensions: withFacts({ shows: 'id' }) },
      ...getVersionField(type),
      ...getHighlightField(type),
      attributes: {
        type: getObject(type),
        resolve: resolvers.attributes,
        // An attribute of the same name would replace the property.
        extensions: withFacts({
          shows: 'attributes',
          ...(type.attributes.has('attributes') ? {} : { property: true }),
        }),
      },
    }))

  const getResponse = (type: ContentType): GraphQLObjectType =>
    wrapper(`${nameOfType(type)}EntityResponse`, () => ({
      data: {
        type: getEntity(type),
        resolve: resolvers.value,
        extensions: withFacts({ shows: 'entry', property: true }),
      },
    }))

  const entities = (type: ContentType): Field => ({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(getEntity(type)))),
    resolve: resolvers.nodes,
    extensions: withFacts({ shows: 'entries', property: true }),
  })

  const getRelationCollection = (type: ContentType): GraphQLObjectType =>
    wrapper(`${nameOfType(type)}RelationResponseCollection`, () => ({ data: entities(type) }))

  return {
    ids: (schema) => (isContentType(schema) ? {} : { id: rowId }),
    one: getResponse,
    response: getResponse,
    collection: (type) =>
      wrapper(`${nameOfType(type)}EntityResponseCollection`, () => ({
        data: entities(type),
        meta: {
          type: new GraphQLNonNull(ResponseCollectionMeta),
          resolve: resolvers.meta,
          extensions: withFacts({ shows: 'meta' }),
        },
      })),
    written: (type) =>
      wrapper(`${nameOfType(type)}WriteResponse`, () => ({ data: entities(type), ...writeCounts })),
    related: (name, target, many, resolve) => ({
      [name]: many
        ? { type: getRelationCollection(target), args: listArguments(target), resolve }
        : { type: getResponse(target), resolve },
    }),
  }
}

export const rowId: Field = {
  type: new GraphQLNonNull(GraphQLID),
  extensions: withFacts({ shows: 'id' }),
}

export function createWrappers(): (name: string, fields: () => Fields) => GraphQLObjectType {
  const wrappers = new Map<string, GraphQLObjectType>()
  return (name, fields) => {
    let type = wrappers.get(name)
    if (type === undefined) {
      type = new GraphQLObjectType({ name, fields })
      wrappers.set(name, type)
    }
    return type
  }
}
