// Finds the attribute that a name in a question means, or undefined if the caller may not use it: unknown, private and
// invisible attributes look the same to a client.

import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { Planning } from './planning.ts'

export function findAttribute(
  planning: Planning,
  holder: AttributeHolder,
  name: string,
): Attribute | undefined {
  if (name === 'id') return holder.id
  const attribute = holder.attributes.get(name) ?? systemAttributesOf(holder)?.get(name)
  if (attribute === undefined || attribute.private) return undefined
  if (
    attribute.kind === 'relation' &&
    attribute.target !== undefined &&
    !planning.access.visible(attribute.target)
  ) {
    return undefined
  }
  return attribute
}

export function systemAttributesOf(
  holder: AttributeHolder,
): ReadonlyMap<string, ScalarAttribute> | undefined {
  return isContentType(holder) ? holder.systemAttributes : undefined
}

export function isContentType(holder: AttributeHolder): holder is ContentType {
  return 'systemAttributes' in holder
}

/** The columns of an answer without `fields`: declared scalar attributes, then those of the system. */
export function answeredColumns(holder: AttributeHolder): readonly ScalarAttribute[] {
  const columns: ScalarAttribute[] = []
  for (const attribute of holder.attributes.values()) {
    if (attribute.kind === 'scalar' && !attribute.private) columns.push(attribute)
  }
  const system = systemAttributesOf(holder)
  if (system !== undefined) columns.push(...system.values())
  return columns
}

/** Whether the type can have drafts that the caller must not see. */
export function hidesDrafts(planning: Planning, holder: AttributeHolder | undefined): boolean {
  if (holder === undefined || !isContentType(holder) || holder.publishedAt === undefined) return false
  return !planning.access.seesDrafts(holder)
}
