// Whether what a field shows can be written from rows: it is as the house made it.

import { type GraphQLField, getNamedType, isLeafType, isUnionType } from 'graphql'
import { isOwnLeaf } from '../encoding/encode-leaf.ts'
import { factsOf, isSafeUnion } from './field-facts.ts'

export function isEncodable(field: GraphQLField<unknown, unknown>): boolean {
  const { attribute, shows, custom } = factsOf(field)
  if (custom === true) return false
  if (attribute === undefined) return shows !== undefined
  const type = getNamedType(field.type)
  if (attribute.kind === 'scalar') return isLeafType(type) && isOwnLeaf(attribute, type)
  return !isUnionType(type) || isSafeUnion(type)
}
