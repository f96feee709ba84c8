// Reads attributes that no client may read (password hashes, tokens). Only for the server itself, never for a
// response.

import { invariant } from '../lib/errors/invariant.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { run, type Work } from '../storage/database.ts'
import type { SqlValue } from '../storage/sql/statement.ts'
import type { Secrets } from './content.ts'
import type { Storage } from './storage.ts'

export function* findSecrets(
  { statements }: Storage,
  type: ContentType,
  by: { readonly name: string; readonly value: string | number },
  names: readonly string[],
): Work<Secrets | undefined> {
  // Stored text never contains NUL, and the database rejects it as a parameter.
  if (typeof by.value === 'string' && by.value.includes('\0')) return undefined
  const key = getScalar(type, by.name)
  const statement = statements.rowWith(
    type,
    key,
    names.map((name) => getScalar(type, name)),
  )
  const [row] = yield* run(statement, [statements.encode(key, by.value)])
  if (row === undefined) return undefined
  const values = new Map<string, SqlValue>()
  for (const [index, name] of names.entries()) values.set(name, row[index + 1] ?? null)
  return { id: Number(row[0]), values }
}

function getScalar(type: ContentType, name: string): ScalarAttribute {
  const attribute = name === 'id' ? type.id : type.attributes.get(name)
  invariant(attribute?.kind === 'scalar', `${type.uid} has no attribute ${name}`)
  return attribute
}
