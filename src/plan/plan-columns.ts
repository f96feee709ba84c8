// Turns `fields` into columns, in the requested order.

import type { ScalarAttribute } from '../model/attribute.ts'
import type { Schema } from '../model/content-type.ts'
import { assertJsonPath } from './conditions/plan-json.ts'
import { findAttribute, isContentType, listResponseColumns } from './find-attribute.ts'
import type { PlanContext } from './planning.ts'
import type { JsonPaths, ReadPlan } from './read-plan.ts'
import { createUnusableName } from './unusable-name.ts'

export function planColumns(
  planning: PlanContext,
  schema: Schema,
  fields: readonly string[] | undefined,
  readable: ReadonlySet<string> | undefined,
): Pick<ReadPlan, 'columns' | 'jsonPaths' | 'unlisted'> {
  const columns = new Set<ScalarAttribute>()
  const named = new Set<ScalarAttribute>()
  const jsonPaths = new Map<ScalarAttribute, JsonPaths>()
  // The documentId is part of every response.
  const documentId = isContentType(schema) ? schema.document?.documentId : undefined
  if (documentId !== undefined) columns.add(documentId)
  for (const field of fields ?? []) {
    if (field === '*') continue
    const [name = '', ...path] = splitField(planning, schema, field, readable)
    const attribute = findAttribute(planning, schema, name, readable)
    if (attribute?.kind !== 'scalar') throw createUnusableName(planning, schema, field, 'fields')
    if (path.length > 0) assertJsonPath(attribute, path)
    const paths = named.has(attribute) ? jsonPaths.get(attribute) : []
    // The whole value was asked for, or is now.
    if (paths === undefined || path.length === 0) jsonPaths.delete(attribute)
    else jsonPaths.set(attribute, [...paths, path])
    named.add(attribute)
    if (attribute !== schema.id) columns.add(attribute)
  }
  const isWhole = fields === undefined || fields.includes('*')
  const shown = isWhole ? listResponseColumns(planning, schema, readable) : [...columns]
  const unlisted = shown.filter((column) => column.private && !named.has(column))
  return {
    columns: shown,
    ...(unlisted.length > 0 && { unlisted: new Set(unlisted) }),
    ...(jsonPaths.size > 0 && !isWhole && { jsonPaths }),
  }
}

/** `extra.size` is a path inside the JSON attribute `extra`; other names have no dots. */
export function splitField(
  planning: PlanContext,
  schema: Schema,
  field: string,
  readable?: ReadonlySet<string>,
): readonly string[] {
  const path = field.split('.')
  const attribute = path.length > 1 ? findAttribute(planning, schema, path[0] ?? '', readable) : undefined
  // A comma is a list in one text rather than a name, and reported as such.
  const isPath = attribute?.kind === 'scalar' && attribute.type === 'json' && !field.includes(',')
  return isPath ? path : [field]
}
