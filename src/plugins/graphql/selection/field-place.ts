// Where a field stands: what of an operation its reading depends on, apart from arguments and caller. Part of what
// resolvers are told.

import type { GraphQLResolveInfo } from 'graphql'

export type FieldPlace = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'variableValues' | 'schema' | 'returnType'
>
