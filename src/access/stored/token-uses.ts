// Stores when each API token was last used, by name: written after the response, and at most once a minute
// per token.

import { waitForTurn } from '../../lib/next-turn.ts'
import type { Log } from '../../observe/log/create-log.ts'
import { hasTables } from '../../storage/check-drift.ts'
import { type Database, run, type Work } from '../../storage/database.ts'
import { createTokenUseStatements, tokenUseTable } from './token-use-table.ts'

export async function readTokenUses(database: Database): Promise<ReadonlyMap<string, number>> {
  const { dialect } = database
  return database.read(function* (): Work<ReadonlyMap<string, number>> {
    if (!(yield* hasTables(dialect, [tokenUseTable]))) return new Map()
    const rows = yield* run(createTokenUseStatements(dialect).list, [])
    return new Map(rows.map(([name, moment]) => [String(name), Number(moment)]))
  })
}

/** `moment`: epoch milliseconds. A time before the stored one changes nothing. */
async function writeTokenUse(database: Database, name: string, moment: number): Promise<void> {
  const { dialect } = database
  await database.transaction(function* () {
    yield* run(createTokenUseStatements(dialect).note, [name, dialect.encode('biginteger', moment)])
  })
}

export interface TokenUses {
  /** Returns at once and writes later. */
  note(name: string): void
  settled(): Promise<void>
}

interface TokenUseOptions {
  readonly log: Pick<Log, 'info' | 'warn'>
  now(): number
}

/** Milliseconds for which another use of a token is not written. */
const RESOLUTION_MS = 60_000

export function createTokenUses(database: Database, { log, now }: TokenUseOptions): TokenUses {
  const written = new Map<string, number>()
  const running = new Set<Promise<void>>()

  async function write(name: string, moment: number): Promise<void> {
    // An embedded database writes synchronously, so the write waits for the turn after the response.
    await waitForTurn()
    try {
      await writeTokenUse(database, name, moment)
    } catch (error) {
      log.warn({ error }, 'the last use of an API token could not be stored')
    }
  }

  return {
    note(name) {
      const moment = now()
      const before = written.get(name)
      if (before !== undefined && moment - before < RESOLUTION_MS) return
      if (before === undefined)
        log.info({ token: name }, 'an API token is used for the first time since the start')
      written.set(name, moment)
      const own = write(name, moment).finally(() => running.delete(own))
      running.add(own)
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
