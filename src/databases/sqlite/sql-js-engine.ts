// One connection to one SQLite in the memory of one instance of sql.js: runs statements, keeps them prepared, and
// says what kind of failure a failure is.

import { InvariantError, invariant } from '../../errors/invariant.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { cacheBudgets } from '../../util/cache-budgets.ts'
import { checkValues } from '../check-values.ts'
import { EngineFailure } from '../database.ts'
import { failureOf } from './failure-of.ts'
import { loadSqlJs } from './load-sql-js.ts'
import { type Prepared, PreparedStatements } from './prepared-statements.ts'
import { type SqlJsApi, type SqlJsDatabase, type SqlJsStatement, webAssembly } from './sql-js-types.ts'

/** Each is set on every connection and read back: SQLite takes no notice of a pragma that it does not know. */
const pragmas: readonly (readonly [name: string, set: string, read: SqlValue])[] = [
  ['foreign_keys', 'on', 1],
  ['recursive_triggers', 'on', 1],
  ['trusted_schema', 'off', 0],
  ['cell_size_check', 'on', 1],
  // Nobody else opens this file, which exists in memory only: without locks and a look at the file's change
  // counter before each statement, reading one row takes 2.8 instead of 12 microseconds.
  ['locking_mode', 'exclusive', 'exclusive'],
  ['journal_mode', 'memory', 'memory'],
  ['synchronous', 'off', 0],
  ['temp_store', 'memory', 2],
  // In KiB, taken as the content grows. At SQLite's own 2 MB, reading one row of many takes a fifth longer.
  ['cache_size', '-32000', -32_000],
  // Past this SQLite refuses a statement; at the 2 GB of WebAssembly the engine would break.
  ['hard_heap_limit', '1500000000', 1_500_000_000],
]

interface Connection {
  readonly database: SqlJsDatabase
  readonly prepared: PreparedStatements
}

export class SqlJsEngine {
  readonly #api: SqlJsApi
  #connection: Connection

  private constructor(api: SqlJsApi, bytes: Uint8Array | undefined) {
    this.#api = api
    this.#connection = connect(api, bytes)
  }

  /** A fresh engine, empty or with the content of a copy. */
  static async open(bytes: Uint8Array | undefined): Promise<SqlJsEngine> {
    return new SqlJsEngine(await loadSqlJs(), bytes)
  }

  /** How many statements are kept prepared. */
  get prepared(): number {
    return this.#connection.prepared.size
  }

  /** Runs a statement to its end; only one that reads, where that is asked for. */
  run({ text }: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[] {
    try {
      return runPrepared(this.#connection.prepared.get(text), values, reading)
    } catch (error) {
      throw engineError(error, text)
    }
  }

  /** A copy of the whole content. Not within a transaction. */
  export(): Uint8Array {
    try {
      return this.#connection.database.export()
    } catch (error) {
      throw engineError(error, 'export')
    }
  }

  /** Puts a copy in the place of the whole content, unless it is none. Not within a transaction. */
  restore(bytes: Uint8Array): void {
    const connection = connect(this.#api, bytes)
    this.close()
    this.#connection = connection
  }

  /** Frees the prepared statements, too. */
  close(): void {
    this.#connection.database.close()
  }
}

function connect(api: SqlJsApi, bytes: Uint8Array | undefined): Connection {
  let database: SqlJsDatabase | undefined
  try {
    database = bytes === undefined ? new api.Database() : new api.Database(bytes)
    const prepared = new PreparedStatements(database, cacheBudgets.statements)
    for (const [name, set, read] of pragmas) {
      runPrepared(prepared.get(`pragma ${name} = ${set}`), [], false)
      const [row] = runPrepared(prepared.get(`pragma ${name}`), [], false)
      invariant(row?.[0] === read, `SQLite did not take the pragma ${name}`)
    }
    return { database, prepared }
  } catch (error) {
    if (!isFatal(error)) database?.close()
    throw engineError(error, 'open')
  }
}

function runPrepared(prepared: Prepared, values: readonly SqlValue[], reading: boolean): readonly SqlRow[] {
  const { statement, kept } = prepared
  const rows: SqlRow[] = []
  try {
    if (reading && !prepared.reads) throw new InvariantError('a read may not write')
    checkValues(values, prepared.placeholders)
    statement.bind(values)
    while (statement.step()) rows.push(statement.get())
  } catch (error) {
    // Nothing may be called any more in an engine that broke.
    if (!isFatal(error)) release(statement, kept)
    throw error
  }
  release(statement, kept)
  return rows
}

/** Lets go of what was bound; some values are large. */
function release(statement: SqlJsStatement, kept: boolean): void {
  if (kept) statement.reset()
  else statement.free()
}

/** A trap or an overflowing stack: nothing in this engine can be trusted any more. */
function isFatal(error: unknown): error is Error {
  return error instanceof webAssembly.RuntimeError || error instanceof RangeError
}

function engineError(error: unknown, text: string): unknown {
  if (isFatal(error))
    return new EngineFailure(`the database engine broke: ${error.message}`, { cause: error })
  return failureOf(error, text)
}
