// The names of join tables: one for every relation, and one for the components of each holder.

import { createHash } from 'node:crypto'

import { snakeCase } from './naming.ts'

/** The table that joins the entries of a relation or media attribute, named by the side that owns it. */
export function linkTableName(collectionName: string, attributeName: string): string {
  return shortName(`${collectionName}_${snakeCase(attributeName)}_links`)
}

/** The table that joins components to the entries of a content-type, or to other components. */
export function placesTableName(collectionName: string): string {
  return shortName(`${collectionName}_components`)
}

/** In bytes. PostgreSQL truncates longer names silently, after which two of them can collide. */
const LONGEST = 63

/** Shortens the name of a table or index if necessary: to its beginning and a hash of the whole. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${name.slice(0, LONGEST - hash.length - 1)}_${hash}`
}
