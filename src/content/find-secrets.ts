// What no client may read of an entry: password hashes, tokens at rest. For the runtime's own eyes; the planner of
// reads refuses these attributes, so they cannot reach an answer by way of it.

import { run, type Work } from '../databases/database.ts'
import { invariant } from '../errors/invariant.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { SqlValue } from '../sql/statement.ts'
import type { Secrets } from './content.ts'
import type { Storage } from './storage.ts'

/** The named attributes of the first entry whose attribute `by.name` is the value. */
export function* findSecrets(
  { statements }: Storage,
  type: ContentType,
  by: { readonly name: string; readonly value: string | number },
  names: readonly string[],
): Work<Secrets | undefined> {
  // No stored text holds a NUL; the database would not even take one to compare.
  if (typeof by.value === 'string' && by.value.includes('\0')) return undefined
  const key = scalarOf(type, by.name)
  const statement = statements.rowWith(
    type,
    key,
    names.map((name) => scalarOf(type, name)),
  )
  const [row] = yield* run(statement, [statements.encode(key, by.value)])
  if (row === undefined) return undefined
  const values = new Map<string, SqlValue>()
  for (const [index, name] of names.entries()) values.set(name, row[index + 1] ?? null)
  return { id: Number(row[0]), values }
}

function scalarOf(type: ContentType, name: string): ScalarAttribute {
  const attribute = name === 'id' ? type.id : type.attributes.get(name)
  invariant(attribute?.kind === 'scalar', `${type.uid} has no attribute ${name}`)
  return attribute
}
