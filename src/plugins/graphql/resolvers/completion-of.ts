// Fields whose values users' code makes, and below which generated fields read properties.

import { type GraphQLField, getNamedType, isObjectType } from 'graphql'
import { factsOf, isProperty, type ShownPart } from '../fields/field-facts.ts'
import { completeAnswer, completeEntry } from '../selection/entry-value.ts'

/** Undefined for a field whose value needs no completion. */
export function completionOf(
  field: GraphQLField<unknown, unknown>,
): ((value: unknown) => unknown) | undefined {
  if (factsOf(field).custom !== true) return undefined
  const type = getNamedType(field.type)
  if (!isObjectType(type)) return undefined
  const shows = new Set<ShownPart | undefined>(
    Object.values(type.getFields())
      .filter(isProperty)
      .map((each) => factsOf(each).shows),
  )
  if (shows.has('entry') || shows.has('entries')) return completeAnswer
  return shows.has('attributes') ? completeEntry : undefined
}
