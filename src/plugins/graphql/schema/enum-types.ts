// Enumerations: their values under names that GraphQL takes. The stored texts stay what they are.

import { GraphQLEnumType } from 'graphql'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { graphqlEnumName, graphqlEnumValue } from '../../../model/graphql-names.ts'

export function enumType(holderName: string, attribute: ScalarAttribute): GraphQLEnumType {
  const values = (attribute.enum ?? []).map((value) => [graphqlEnumValue(value), { value }] as const)
  return new GraphQLEnumType({
    name: graphqlEnumName(holderName, attribute.name),
    values: Object.fromEntries(values),
  })
}
