// The names of tables that belong to no content-type or component of their own: one for every relation, one for the
// places of a holder's components.

import { shortName } from '../util/short-name.ts'
import { snakeCase } from './naming.ts'

/** The table that joins the entries of a relation or media attribute, named by the side that owns it. */
export function linkTableName(collectionName: string, attributeName: string): string {
  return shortName(`${collectionName}_${snakeCase(attributeName)}_links`)
}

/** The table that places components in the entries of a content-type or in other components. */
export function placesTableName(collectionName: string): string {
  return shortName(`${collectionName}_components`)
}
