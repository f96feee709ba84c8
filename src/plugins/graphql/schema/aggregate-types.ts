// The type of groups of entries: each field is a function, and its argument the path of an attribute.

import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import type { AggregateFunction } from '../../../plan/aggregate-plan.ts'
import { GraphqlJson } from '../fields/scalars.ts'
import { resolveMeasure } from '../resolvers/summary-operation.ts'
import type { Field } from './entry-envelopes.ts'

const path = { of: { type: new GraphQLNonNull(GraphQLString), description: 'rating, or author.age' } }
const names = new GraphQLList(new GraphQLNonNull(GraphQLString))

function measure(
  fn: AggregateFunction,
  type: GraphQLOutputType,
  args: GraphQLFieldConfigArgumentMap = path,
): Field {
  return { type, args, resolve: resolveMeasure(fn) }
}

const AggregateGroup = new GraphQLObjectType({
  name: 'AggregateGroup',
  fields: {
    group: { type: GraphqlJson, description: 'The values of groupBy, by their names' },
    count: measure('count', GraphQLInt, { of: { type: GraphQLString } }),
    countDistinct: measure('countDistinct', GraphQLInt),
    min: measure('min', GraphqlJson),
    max: measure('max', GraphqlJson),
    sum: measure('sum', GraphQLFloat),
    avg: measure('avg', GraphQLFloat),
  },
})

export const AggregateGroups = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(AggregateGroup)))

export const aggregateArguments: GraphQLFieldConfigArgumentMap = {
  groupBy: { type: names, description: 'Attributes, paths such as author.name, and month(createdAt)' },
  having: { type: GraphqlJson, description: '{ count: { gt: 1 }, avg: { rating: { gte: 3 } } }' },
  sort: { type: names, description: 'avg.rating:desc, or a name of groupBy' },
  search: { type: GraphQLString },
}
