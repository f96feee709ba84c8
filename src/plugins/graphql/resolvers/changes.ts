// Changes of stored values, which inputs of GraphQL cannot name: `updateArticle(id: 1, data: {}, change: { views: { inc: 1 } })`
// is `{ views: { $inc: 1 } }` over REST.

import type { GraphQLFieldConfigArgumentMap } from 'graphql'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { GraphqlJson } from '../fields/scalars.ts'

export const changeArgument: GraphQLFieldConfigArgumentMap = {
  change: { type: GraphqlJson, description: '{ views: { inc: 1 } }; also mul, push and pull' },
}

/** The data with the changes by attribute. Throws ValidationError. */
export function joinChanges(
  data: Readonly<Record<string, unknown>>,
  change: unknown,
): Readonly<Record<string, unknown>> {
  if (change === undefined || change === null) return data
  if (!isRecord(change)) throw createMisread('it must be an object of attributes')
  const changes = Object.entries(change).map(([name, operators]) => {
    if (Object.hasOwn(data, name)) throw createMisread(`${name} is in data, too`)
    if (!isRecord(operators)) throw createMisread(`${name} needs an operator, such as { inc: 1 }`)
    return [name, Object.fromEntries(Object.entries(operators).map(([key, value]) => [`$${key}`, value]))]
  })
  return { ...data, ...Object.fromEntries(changes) }
}

function createMisread(reason: string): ApiError {
  return new ApiError('ValidationError', `Invalid argument change: ${reason}`)
}
