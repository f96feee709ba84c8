// Finds the attribute that a name in a query means, or undefined if the caller may not use it: unknown, private and
// invisible attributes look the same to a client.

import { buildTable } from '../attribute-types/attribute-types.ts'
import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { PlanContext } from './planning.ts'

const isSecret = buildTable(({ secret }) => secret)

export function findAttribute(
  planning: PlanContext,
  holder: AttributeHolder,
  name: string,
  readable = getReadable(planning, holder),
): Attribute | undefined {
  if (name === 'id') return holder.id
  if (readable?.has(name) === false && holder.attributes.has(name)) return undefined
  const attribute = holder.attributes.get(name) ?? listSystemAttributes(holder)?.get(name)
  if (attribute === undefined || isHidden(planning, attribute)) return undefined
  if (
    attribute.kind === 'relation' &&
    attribute.target !== undefined &&
    !planning.access.visible(attribute.target)
  ) {
    return undefined
  }
  return attribute
}

/** Whether the attribute is private, and the caller a client. */
export function isHidden({ access }: PlanContext, attribute: Attribute): boolean {
  return attribute.private && access.seesPrivate !== true
}

/** The attributes that the caller may filter, sort and search by; undefined: all. Those of the runtime are always among them. */
export function getReadable(planning: PlanContext, holder: AttributeHolder): ReadonlySet<string> | undefined {
  return isContentType(holder) ? planning.access.readable(holder, 'find') : undefined
}

export function listSystemAttributes(
  holder: AttributeHolder,
): ReadonlyMap<string, ScalarAttribute> | undefined {
  return isContentType(holder) ? holder.systemAttributes : undefined
}

export function isContentType(holder: AttributeHolder): holder is ContentType {
  return 'systemAttributes' in holder
}

/** The columns of an answer without `fields`: documentId, declared scalar attributes, then those of the system. */
export function answeredColumns(
  planning: PlanContext,
  holder: AttributeHolder,
  readable: ReadonlySet<string> | undefined,
): readonly ScalarAttribute[] {
  const columns: ScalarAttribute[] = []
  const documentId = isContentType(holder) ? holder.document?.documentId : undefined
  if (documentId !== undefined) columns.push(documentId)
  for (const attribute of holder.attributes.values()) {
    if (attribute.kind !== 'scalar' || isHidden(planning, attribute) || isSecret[attribute.type]) continue
    if (readable?.has(attribute.name) === false) continue
    columns.push(attribute)
  }
  for (const attribute of listSystemAttributes(holder)?.values() ?? [])
    if (attribute !== documentId) columns.push(attribute)
  return columns
}

/** Whether the type can have drafts that the caller must not see. */
export function hidesDrafts(planning: PlanContext, holder: AttributeHolder | undefined): boolean {
  if (holder === undefined || !isContentType(holder) || holder.publishedAt === undefined) return false
  return !planning.access.seesDrafts(holder)
}
