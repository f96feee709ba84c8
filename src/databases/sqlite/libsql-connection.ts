// One connection to a database file: runs statements, keeps them prepared, and says what kind of failure a failure is.

import { InvariantError, invariant } from '../../errors/invariant.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { BoundedCache } from '../../util/bounded-cache.ts'
import { cacheBudgets } from '../../util/cache-budgets.ts'
import { checkValues } from '../check-values.ts'
import { fileFailureOf } from './file-failure.ts'
import type { LibsqlDatabase, LibsqlStatement } from './libsql-types.ts'
import { countPlaceholders, defines, onlyReads, weightOf } from './statement-text.ts'

type Pragma = readonly [name: string, set: string, read: SqlValue]

/** Each is read back: SQLite takes no notice of a pragma that it does not know. */
const common: readonly Pragma[] = [
  ['busy_timeout', '0', 0],
  ['foreign_keys', 'on', 1],
  ['recursive_triggers', 'on', 1],
  ['trusted_schema', 'off', 0],
  ['cell_size_check', 'on', 1],
  ['temp_store', 'memory', 2],
  ['cache_size', '-32000', -32_000],
]

const pragmas = {
  reader: [...common, ['query_only', 'on', 1]],
  writer: [
    ['journal_mode', 'wal', 'wal'],
    // A commit is written, not forced to disk: that is done for many of them at once, apart (group-commit.ts).
    ['synchronous', 'normal', 1],
    ['wal_autocheckpoint', '0', 0],
    ['journal_size_limit', '67108864', 67_108_864],
    ...common,
  ],
} satisfies Record<string, readonly Pragma[]>

interface Prepared {
  readonly statement: LibsqlStatement
  readonly placeholders: number
  readonly reads: boolean
  readonly answers: boolean
}

export class LibsqlConnection {
  readonly #database: LibsqlDatabase
  readonly #prepared = new BoundedCache<Prepared>({ budget: cacheBudgets.statements })

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

  /** How many statements are kept prepared. */
  get prepared(): number {
    return this.#prepared.size
  }

  /** Runs a statement to its end; only one that reads, where that is asked for. */
  run({ text }: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[] {
    try {
      const prepared = this.#prepare(text)
      if (reading && !prepared.reads) throw new InvariantError('a read may not write')
      checkValues(values, prepared.placeholders)
      const bound = values.map(toBound)
      if (prepared.answers) return prepared.statement.all(bound)
      prepared.statement.run(bound)
      return []
    } catch (error) {
      throw fileFailureOf(error, text)
    }
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }

  #prepare(text: string): Prepared {
    const kept = this.#prepared.get(text)
    if (kept !== undefined) return kept
    const statement = this.#database.prepare(text)
    const answers = statement.reader
    if (answers) statement.raw()
    const prepared = { statement, answers, reads: onlyReads(text), placeholders: countPlaceholders(text) }
    if (!defines(text)) this.#prepared.offer(text, prepared, weightOf(text))
    return prepared
  }
}

/** libsql binds every number as a fraction, and the process ends when a row of bytes is read in this way. */
function toBound(value: SqlValue): SqlValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  invariant(!(value instanceof Uint8Array), 'bytes are not bound here')
  return value
}
