// Names of tables and indexes within PostgreSQL's 63 bytes, which would otherwise cut them without a word and let
// two long names collide.

import { createHash } from 'node:crypto'

const LONGEST = 63

/** The name itself when it fits, else its beginning and a hash of the whole. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${name.slice(0, LONGEST - hash.length - 1)}_${hash}`
}
