// Serializes leaf values in compiled operations. GraphQLErrors are for clients; other errors are the server's
// faults, as in graphql-js.

import { GraphQLError, GraphQLID, type GraphQLLeafType, GraphQLString } from 'graphql'

/** Marks a fault that was reported; see format-error.ts. */
export const SERIALIZER_FAULT = '\u0000fault'

export function buildSerializer(
  type: GraphQLLeafType,
  onFault: (fault: unknown) => void,
): (value: unknown) => unknown {
  const serialize = (value: unknown): unknown => {
    try {
      const written = type.serialize(value)
      if (written !== undefined && written !== null) return written
      throw new TypeError(`${type.name} serialized a value to ${written}`)
    } catch (error) {
      if (error instanceof GraphQLError) throw error
      onFault(error)
      throw new GraphQLError(SERIALIZER_FAULT)
    }
  }
  if (type === GraphQLString || type === GraphQLID) {
    return (value) => (typeof value === 'string' ? value : serialize(value))
  }
  return serialize
}
