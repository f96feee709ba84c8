// Types that every generated schema has, whatever its content-types.

import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import { withFacts } from '../fields/field-facts.ts'

const plain = { extensions: withFacts({ shows: 'value' }) }
const count = { type: new GraphQLNonNull(GraphQLInt), ...plain }

const Pagination = new GraphQLObjectType({
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

/** A member of every dynamic zone's union, as recorded. */
export const ErrorType = new GraphQLObjectType({
  name: 'Error',
  fields: {
    code: { type: new GraphQLNonNull(GraphQLString), ...plain },
    message: { type: GraphQLString, ...plain },
  },
})
