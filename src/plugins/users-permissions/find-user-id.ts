// Finds a user by address or id.

import type { ContentType } from '../../model/content-type.ts'
import { listTables } from '../../storage/check-drift.ts'
import { type Database, run, type Work } from '../../storage/database.ts'
import { createUserIdStatements } from './session-table.ts'

/** `named`: the address in any case, or the id. Undefined also if the table does not exist yet. */
export async function findUserId(
  database: Database,
  { collectionName: table }: Pick<ContentType, 'collectionName'>,
  named: string,
): Promise<number | undefined> {
  const { dialect } = database
  // No stored text contains NUL, and some databases reject it as a value.
  if (named.includes('\0')) return undefined
  return database.read(function* (): Work<number | undefined> {
    if (!(yield* listTables(dialect)).has(table)) return undefined
    const { byEmail, byId } = createUserIdStatements(dialect, table)
    const id = /^\d{1,15}$/.test(named) ? Number(named) : undefined
    const rows =
      id === undefined
        ? yield* run(byEmail, [named.toLowerCase()])
        : yield* run(byId, [dialect.encode('biginteger', id)])
    return rows[0] === undefined ? undefined : Number(rows[0][0])
  })
}
