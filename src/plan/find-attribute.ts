// Finds an attribute by its name in a query. Unknown, private and forbidden attributes look the same to a
// client.

import { buildTable } from '../attribute-types/attribute-types.ts'
import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import type { PlanContext } from './planning.ts'

export const isSecret = buildTable(({ secret }) => secret)

export function findAttribute(
  planning: PlanContext,
  schema: Schema,
  name: string,
  readable = getReadable(planning, schema),
): Attribute | undefined {
  if (name === 'id') return schema.id
  if (readable?.has(name) === false && schema.attributes.has(name)) return undefined
  const attribute = schema.attributes.get(name) ?? listSystemAttributes(schema)?.get(name)
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

export function isHidden({ access }: PlanContext, attribute: Attribute): boolean {
  return attribute.private && access.seesPrivate !== true
}

/**
 * The attributes, always with the system's, that the caller may filter, sort and search by; undefined: all.
 */
export function getReadable(planning: PlanContext, schema: Schema): ReadonlySet<string> | undefined {
  return isContentType(schema) ? planning.access.readable(schema, 'find') : undefined
}

export function listSystemAttributes(schema: Schema): ReadonlyMap<string, ScalarAttribute> | undefined {
  return isContentType(schema) ? schema.systemAttributes : undefined
}

export function isContentType(schema: Schema): schema is ContentType {
  return 'systemAttributes' in schema
}

/** The default columns: documentId, declared scalar attributes, then the system's. */
export function listResponseColumns(
  planning: PlanContext,
  schema: Schema,
  readable: ReadonlySet<string> | undefined,
): readonly ScalarAttribute[] {
  const columns: ScalarAttribute[] = []
  const documentId = isContentType(schema) ? schema.document?.documentId : undefined
  if (documentId !== undefined) columns.push(documentId)
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'scalar' || isHidden(planning, attribute) || isSecret[attribute.type]) continue
    if (readable?.has(attribute.name) === false) continue
    columns.push(attribute)
  }
  for (const attribute of listSystemAttributes(schema)?.values() ?? [])
    if (attribute !== documentId) columns.push(attribute)
  return columns
}

/** Whether the type can have drafts that the caller must not see. */
export function hidesDrafts(planning: PlanContext, schema: Schema | undefined): boolean {
  if (schema === undefined || !isContentType(schema) || schema.publishedAt === undefined) return false
  return !planning.access.seesDrafts(schema)
}
