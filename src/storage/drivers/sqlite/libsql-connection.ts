// Runs statements on one connection to a database file.

import { performance } from 'node:perf_hooks'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import { InvariantError, invariant } from '../../../lib/errors/invariant.ts'
import { checkValues } from '../../check-values.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { buildFileFailure } from './file-failure.ts'
import { type Cursor, ROWS_BETWEEN_CHECKS } from './finish-work.ts'
import type { LibsqlDatabase, LibsqlStatement } from './libsql-types.ts'
import { countPlaceholders, defines, getWeight, isReadOnly } from './statement-text.ts'

type Pragma = readonly [name: string, set: string, read: SqlValue]

/** Each is read back, because SQLite ignores an unknown pragma silently. */
const common: readonly Pragma[] = [
  ['busy_timeout', '0', 0],
  ['foreign_keys', 'on', 1],
  ['recursive_triggers', 'on', 1],
  ['trusted_schema', 'off', 0],
  ['cell_size_check', 'on', 1],
  ['temp_store', 'memory', 2],
  ['cache_size', '-32000', -32_000],
]

export const readerPragmas: readonly Pragma[] = [...common, ['query_only', 'on', 1]]

const pragmas = {
  reader: readerPragmas,
  writer: [
    ['journal_mode', 'wal', 'wal'],
    // A commit is not forced to disk here: group-commit.ts does that for many commits at once.
    ['synchronous', 'normal', 1],
    ['wal_autocheckpoint', '0', 0],
    ['journal_size_limit', '67108864', 67_108_864],
    ...common,
  ],
} satisfies Record<string, readonly Pragma[]>

interface PreparedStatement {
  readonly statement: LibsqlStatement
  readonly placeholders: number
  readonly reads: boolean
  readonly results: boolean
}

export class LibsqlConnection {
  readonly #database: LibsqlDatabase
  readonly #prepared = new BoundedCache<PreparedStatement>({
    name: 'statements',
    budget: cacheBudgets.statements,
  })

  constructor(database: LibsqlDatabase, role: keyof typeof pragmas) {
    this.#database = database
    for (const [name, set, read] of pragmas[role]) {
      this.run({ text: `pragma ${name} = ${set}`, returns: true }, [], false)
      const [row] = this.run({ text: `pragma ${name}`, returns: true }, [], false)
      invariant(row?.[0] === read, `SQLite did not take the pragma ${name}`)
    }
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  get prepared(): number {
    return this.#prepared.size
  }

  run({ text }: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[] {
    try {
      const prepared = this.#prepare(text, values, reading)
      const bound = values.map(toBound)
      if (prepared.results) return prepared.statement.all(bound)
      prepared.statement.run(bound)
      return []
    } catch (error) {
      throw buildFileFailure(error, text)
    }
  }

  explain({ text }: Statement, values: readonly SqlValue[]): readonly string[] {
    try {
      const prepared = this.#database.prepare(`explain query plan ${text}`).raw()
      const bound = values.map(toBound)
      const rows = prepared.all(bound)
      // Until it is reset, it counts as running, and a commit would not end the state that reads see.
      prepared.get(bound)
      return rows.map((row) => String(row[3]))
    } catch (error) {
      throw buildFileFailure(error, text)
    }
  }

  /** Until all rows are read, this connection may run no other statement. */
  open({ text }: Statement, values: readonly SqlValue[]): Cursor {
    try {
      const { statement } = this.#prepare(text, values, true)
      return new LibsqlCursor(statement.iterate(values.map(toBound)), text)
    } catch (error) {
      throw buildFileFailure(error, text)
    }
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }

  #prepare(text: string, values: readonly SqlValue[], reading: boolean): PreparedStatement {
    const prepared = this.#get(text)
    if (reading && !prepared.reads) throw new InvariantError('a read may not write')
    checkValues(values, prepared.placeholders)
    return prepared
  }

  #get(text: string): PreparedStatement {
    const kept = this.#prepared.get(text)
    if (kept !== undefined) return kept
    const statement = this.#database.prepare(text)
    const results = statement.reader
    if (results) statement.raw()
    const prepared = {
      statement,
      results,
      reads: isReadOnly(text),
      placeholders: countPlaceholders(text),
    }
    if (!defines(text)) this.#prepared.offer(text, prepared, getWeight(text))
    return prepared
  }
}

class LibsqlCursor implements Cursor {
  readonly rows: SqlRow[] = []
  readonly #left: Iterator<SqlRow, undefined>
  readonly #text: string

  constructor(left: Iterator<SqlRow, undefined>, text: string) {
    this.#left = left
    this.#text = text
  }

  read(until: number): boolean {
    try {
      for (let row = this.#left.next(); row.done !== true; row = this.#left.next()) {
        this.rows.push(row.value)
        if (this.rows.length % ROWS_BETWEEN_CHECKS === 0 && performance.now() > until) return false
      }
      return true
    } catch (error) {
      throw buildFileFailure(error, this.#text)
    }
  }
}

/** libsql binds every number as a float, and ends the process when a row with bytes is read. */
export function toBound(value: SqlValue): SqlValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  invariant(!(value instanceof Uint8Array), 'bytes are not bound here')
  return value
}
