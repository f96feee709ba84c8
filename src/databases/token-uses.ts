// When each API token was last used, kept by name beside the content.

import { tokenUseStatements } from '../sql/runtime-tables.ts'
import { listTables } from './check-drift.ts'
import { type Database, run, type Work } from './database.ts'

/** Epoch milliseconds by the token's name; none where no service has run on the database yet. */
export async function readTokenUses(database: Database): Promise<ReadonlyMap<string, number>> {
  const { dialect } = database
  return database.read(function* (): Work<ReadonlyMap<string, number>> {
    const { list, table } = tokenUseStatements(dialect)
    if (!(yield* listTables(dialect)).has(table)) return new Map()
    const rows = yield* run(list, [])
    return new Map(rows.map(([name, moment]) => [String(name), Number(moment)]))
  })
}

/** `moment` in epoch milliseconds; the latest stays. */
export async function writeTokenUse(database: Database, name: string, moment: number): Promise<void> {
  const { dialect } = database
  await database.transaction(function* () {
    yield* run(tokenUseStatements(dialect).note, [name, dialect.encode('biginteger', moment)])
  })
}
