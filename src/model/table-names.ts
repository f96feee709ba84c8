// The names of tables that belong to no content-type or component of their own: one for every relation, one for the
// places of a holder's components.

import { createHash } from 'node:crypto'

import { snakeCase } from './naming.ts'

/** The table that joins the entries of a relation or media attribute, named by the side that owns it. */
export function linkTableName(collectionName: string, attributeName: string): string {
  return shortName(`${collectionName}_${snakeCase(attributeName)}_links`)
}

/** The table that places components in the entries of a content-type or in other components. */
export function placesTableName(collectionName: string): string {
  return shortName(`${collectionName}_components`)
}

/** PostgreSQL cuts longer names without a word, and lets two long ones collide. In bytes. */
const LONGEST = 63

/** A name of a table or index: itself when it fits, else its beginning and a hash of the whole. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${name.slice(0, LONGEST - hash.length - 1)}_${hash}`
}
