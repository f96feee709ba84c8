// Types that every generated schema has, whatever its content-types.

import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { ContentType } from '../../../model/content-type.ts'
import { publicationFilters } from '../../../plan/params.ts'
import { isRanked } from '../../../plan/plan-search.ts'
import { HIGHLIGHT } from '../../../query/rows/to-object.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { withFacts } from '../fields/field-facts.ts'
import { GraphqlJson } from '../fields/scalars.ts'

const plain = { extensions: withFacts({ shows: 'value' }) }
const count = { type: new GraphQLNonNull(GraphQLInt), ...plain }

export const Pagination = new GraphQLObjectType({
  name: 'Pagination',
  fields: { total: count, page: count, pageSize: count, pageCount: count },
})

export const ResponseCollectionMeta = new GraphQLObjectType({
  name: 'ResponseCollectionMeta',
  fields: { pagination: { type: new GraphQLNonNull(Pagination), ...plain } },
})

export const PaginationArg = new GraphQLInputObjectType({
  name: 'PaginationArg',
  fields: {
    page: { type: GraphQLInt },
    pageSize: { type: GraphQLInt },
    start: { type: GraphQLInt },
    limit: { type: GraphQLInt },
  },
})

export const PublicationStateEnum = new GraphQLEnumType({
  name: 'PublicationState',
  values: { LIVE: { value: 'live' }, PREVIEW: { value: 'preview' } },
})

export const PublicationStatusEnum = new GraphQLEnumType({
  name: 'PublicationStatus',
  values: { DRAFT: { value: 'draft' }, PUBLISHED: { value: 'published' } },
})

export const PublicationFilterEnum = new GraphQLEnumType({
  name: 'PublicationFilter',
  values: Object.fromEntries(
    publicationFilters.map((value) => [value.toUpperCase().replaceAll('-', '_'), { value }]),
  ),
})

export const DeleteMutationResponse = new GraphQLObjectType({
  name: 'DeleteMutationResponse',
  fields: { documentId: { type: new GraphQLNonNull(GraphQLID), ...plain } },
})

/** Undefined where an attribute has the name. */
export function getVersionField(
  type: ContentType,
): Readonly<Record<string, GraphQLFieldConfig<unknown, GraphqlContext>>> {
  if (type.attributes.has('version')) return {}
  const description = 'Moves with each change of the entry; ifVersion of the next write may name it'
  return {
    version: { type: GraphQLInt, description, extensions: withFacts({ shows: 'version', property: true }) },
  }
}

/** Only where lists have `search`. */
export function getHighlightField(
  type: ContentType,
): Readonly<Record<string, GraphQLFieldConfig<unknown, GraphqlContext>>> {
  if (!isRanked(type)) return {}
  const description = 'By attribute, its text as HTML around the words of search, in <mark>'
  const extensions = withFacts({ shows: 'highlights', property: true })
  return { [HIGHLIGHT]: { type: GraphqlJson, description, extensions } }
}

/** How many entries an operation on many entries wrote. */
export const writeCounts: Readonly<Record<string, GraphQLFieldConfig<unknown, GraphqlContext>>> = {
  created: count,
  updated: count,
  deleted: count,
}

/** Part of every dynamic zone's union, as in Strapi. */
export const ErrorType = new GraphQLObjectType({
  name: 'Error',
  fields: {
    code: { type: new GraphQLNonNull(GraphQLString), ...plain },
    message: { type: GraphQLString, ...plain },
  },
})
