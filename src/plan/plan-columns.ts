// Turns `fields` into columns, in the requested order.

import type { ScalarAttribute } from '../model/attribute.ts'
import type { Schema } from '../model/content-type.ts'
import { findAttribute, isContentType, listResponseColumns } from './find-attribute.ts'
import type { PlanContext } from './planning.ts'
import type { ReadPlan } from './read-plan.ts'
import { createUnusableName } from './unusable-name.ts'

export function planColumns(
  planning: PlanContext,
  schema: Schema,
  fields: readonly string[] | undefined,
  readable: ReadonlySet<string> | undefined,
): readonly ScalarAttribute[] {
  if (fields === undefined) return listResponseColumns(planning, schema, readable)
  // The documentId is part of every response.
  const columns = new Set<ScalarAttribute>()
  const documentId = isContentType(schema) ? schema.document?.documentId : undefined
  if (documentId !== undefined) columns.add(documentId)
  for (const name of fields) {
    if (name === '*') continue
    const attribute = findAttribute(planning, schema, name, readable)
    if (attribute?.kind !== 'scalar') throw createUnusableName(planning, schema, name, 'fields')
    if (attribute !== schema.id) columns.add(attribute)
  }
  return fields.includes('*') ? listResponseColumns(planning, schema, readable) : [...columns]
}

export function listUnlistedColumns(
  columns: readonly ScalarAttribute[],
  fields: readonly string[] | undefined,
): Pick<ReadPlan, 'unlisted'> {
  const unlisted = columns.filter((column) => column.private && fields?.includes(column.name) !== true)
  return unlisted.length === 0 ? {} : { unlisted: new Set(unlisted) }
}
