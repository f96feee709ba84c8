// A name in a question -> the attribute the caller may use, or undefined: unknown, private and out of sight look
// the same from outside.

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

/** What is answered when no `fields` are asked for: declared scalar attributes, then the system's. */
export function answeredColumns(holder: AttributeHolder): readonly ScalarAttribute[] {
  const columns: ScalarAttribute[] = []
  for (const attribute of holder.attributes.values()) {
    if (attribute.kind === 'scalar' && !attribute.private) columns.push(attribute)
  }
  const system = systemAttributesOf(holder)
  if (system !== undefined) columns.push(...system.values())
  return columns
}

/** Whether there are drafts of it that the caller must not see. */
export function hidesDrafts(planning: Planning, holder: AttributeHolder | undefined): boolean {
  if (holder === undefined || !isContentType(holder) || holder.publishedAt === undefined) return false
  return !planning.access.seesDrafts(holder)
}
