// Splits the populate options for entries of several types into options for each type.

import { invalidParameter } from '../lib/errors/api-error.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import { findAttribute } from './find-attribute.ts'
import type { PopulateOptions } from './params.ts'
import type { PlanContext } from './planning.ts'
import { type Use, unusableName } from './unusable-name.ts'

/**
 * Each type of a zone or polymorphic relation gets the options whose names it has; a name that no type has is refused.
 */
export function narrowOptions(
  planning: PlanContext,
  holders: readonly AttributeHolder[],
  options: PopulateOptions,
): (holder: AttributeHolder) => PopulateOptions {
  const { fields, populate } = options
  const hasField = (holder: AttributeHolder, name: string): boolean =>
    name === '*' || findAttribute(planning, holder, name)?.kind === 'scalar'
  // Members that the caller may not see are left out later, when they are planned.
  const hasMember = (holder: AttributeHolder, name: string): boolean =>
    name === '*' || (holder.attributes.get(name)?.kind ?? 'scalar') !== 'scalar'
  const nowhere = (name: string, use: Use) =>
    holders[0] === undefined ? invalidParameter(name) : unusableName(planning, holders[0], name, use)
  const members = populate === undefined || populate === '*' ? [] : [...populate]
  for (const name of fields ?? []) {
    if (!holders.some((holder) => hasField(holder, name))) throw nowhere(name, 'fields')
  }
  for (const [name] of planning.ignoresUnknown ? [] : members) {
    if (!holders.some((holder) => hasMember(holder, name))) throw nowhere(name, 'populate')
  }
  return (holder) => ({
    ...options,
    ...(fields === undefined ? {} : { fields: fields.filter((name) => hasField(holder, name)) }),
    ...(members.length === 0
      ? {}
      : { populate: new Map(members.filter(([name]) => hasMember(holder, name))) }),
  })
}
