// Splits the populate options for entries of several types into options for each type.

import { invalidParameter } from '../errors/api-error.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import { findAttribute } from './find-attribute.ts'
import type { PopulateOptions } from './params.ts'
import type { Planning } from './planning.ts'

/**
 * Each type of a zone or polymorphic relation gets the options whose names it has; a name that no type has is refused.
 */
export function narrowOptions(
  planning: Planning,
  holders: readonly AttributeHolder[],
  options: PopulateOptions,
): (holder: AttributeHolder) => PopulateOptions {
  const { fields, populate } = options
  const hasField = (holder: AttributeHolder, name: string): boolean =>
    name === '*' || findAttribute(planning, holder, name)?.kind === 'scalar'
  // Members that the caller may not see are left out later, when they are planned.
  const hasMember = (holder: AttributeHolder, name: string): boolean =>
    name === '*' || (holder.attributes.get(name)?.kind ?? 'scalar') !== 'scalar'
  const members = populate === undefined || populate === '*' ? [] : [...populate]
  for (const name of fields ?? []) {
    if (!holders.some((holder) => hasField(holder, name))) throw invalidParameter(name)
  }
  for (const [name] of members) {
    if (!holders.some((holder) => hasMember(holder, name))) throw invalidParameter(name)
  }
  return (holder) => ({
    ...options,
    ...(fields === undefined ? {} : { fields: fields.filter((name) => hasField(holder, name)) }),
    ...(members.length === 0
      ? {}
      : { populate: new Map(members.filter(([name]) => hasMember(holder, name))) }),
  })
}
