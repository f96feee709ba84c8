// Splits populate options by type.

import { createInvalidParameter } from '../lib/errors/api-error.ts'
import type { Schema } from '../model/content-type.ts'
import { findAttribute } from './find-attribute.ts'
import type { PopulateOptions } from './params.ts'
import { splitField } from './plan-columns.ts'
import { ignoreName, type PlanContext } from './planning.ts'
import { createUnusableName, type Use } from './unusable-name.ts'

/** Each type gets the options whose names it has; a name unknown to all types is refused. */
export function narrowOptions(
  planning: PlanContext,
  schemas: readonly Schema[],
  options: PopulateOptions,
): (schema: Schema) => PopulateOptions {
  const { fields, populate } = options
  const hasField = (schema: Schema, name: string): boolean =>
    name === '*' ||
    findAttribute(planning, schema, splitField(planning, schema, name)[0] ?? name)?.kind === 'scalar'
  const hasPopulated = (schema: Schema, name: string): boolean =>
    name === '*' || (schema.attributes.get(name)?.kind ?? 'scalar') !== 'scalar'
  const nowhere = (name: string, use: Use) =>
    schemas[0] === undefined
      ? createInvalidParameter(name)
      : createUnusableName(planning, schemas[0], name, use)
  const populated = populate === undefined || populate === '*' || 'levels' in populate ? [] : [...populate]
  for (const name of fields ?? []) {
    if (!schemas.some((schema) => hasField(schema, name))) throw nowhere(name, 'fields')
  }
  for (const [name] of populated) {
    const isKnown = schemas.some((schema) => hasPopulated(schema, name))
    const place = `populate of ${schemas.map(({ uid }) => uid).join(' and ')}`
    if (!isKnown && !ignoreName(planning, name, place)) throw nowhere(name, 'populate')
  }
  return (schema) => ({
    ...options,
    ...(fields === undefined ? {} : { fields: fields.filter((name) => hasField(schema, name)) }),
    ...(populated.length === 0
      ? {}
      : { populate: new Map(populated.filter(([name]) => hasPopulated(schema, name))) }),
  })
}
