// Where in a document a field is asked for.

import type { GraphQLResolveInfo } from 'graphql'

export type FieldPlace = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'variableValues' | 'schema' | 'returnType'
>
