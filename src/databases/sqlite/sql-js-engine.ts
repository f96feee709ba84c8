// One connection to one SQLite in the memory of one instance of sql.js: runs statements, keeps them prepared, and
// says what kind of failure a failure is.

import { invariant } from '../../errors/invariant.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { LruMap } from '../../util/lru-map.ts'
import { EngineFailure } from '../database.ts'
import { checkValues } from './check-values.ts'
import { failureOf } from './failure-of.ts'
import { loadSqlJs } from './load-sql-js.ts'
import { type SqlJsApi, type SqlJsDatabase, type SqlJsStatement, webAssembly } from './sql-js-types.ts'

/** Kept prepared, at most; the one used longest ago is freed for a new one. */
const PREPARED = 512

/** The longest statement that is made here is far below. */
const LONGEST_STATEMENT = 1_000_000

/** Each is set on every connection and read back. SQLite knows no better moment to say that it did not obey. */
const pragmas: readonly (readonly [name: string, set: string, read: SqlValue])[] = [
  ['foreign_keys', 'on', 1],
  ['recursive_triggers', 'on', 1],
  ['trusted_schema', 'off', 0],
  ['cell_size_check', 'on', 1],
  // Nobody else opens this file, which exists in memory only: no locks, no journal on it, nothing to wait for.
  ['locking_mode', 'exclusive', 'exclusive'],
  ['journal_mode', 'memory', 'memory'],
  ['synchronous', 'off', 0],
  ['temp_store', 'memory', 2],
  // Past this SQLite refuses; the memory of WebAssembly ends at 2 GB, where it would trap.
  ['hard_heap_limit', '1500000000', 1_500_000_000],
]

export class SqlJsEngine {
  readonly #api: SqlJsApi
  #connection: SqlJsDatabase
  #prepared = new LruMap<string, SqlJsStatement>(PREPARED)

  private constructor(api: SqlJsApi, bytes: Uint8Array | undefined) {
    this.#api = api
    this.#connection = connect(api, bytes)
    this.#assertPragmas()
  }

  /** A fresh engine, empty or with the content of a copy. */
  static async open(bytes: Uint8Array | undefined): Promise<SqlJsEngine> {
    return new SqlJsEngine(await loadSqlJs(), bytes)
  }

  /** How many statements are kept prepared. */
  get prepared(): number {
    return this.#prepared.size
  }

  /** Runs a statement to its end. */
  run(statement: Statement, values: readonly SqlValue[]): readonly SqlRow[] {
    checkValues(values)
    try {
      const prepared = this.#prepare(statement.text)
      const rows: SqlRow[] = []
      try {
        prepared.bind(values)
        while (prepared.step()) rows.push(prepared.get())
      } finally {
        prepared.reset()
      }
      return rows
    } catch (error) {
      throw engineError(error, statement.text)
    }
  }

  /** A copy of the whole content. Not within a transaction. */
  export(): Uint8Array {
    try {
      return this.#connection.export()
    } catch (error) {
      throw engineError(error, 'export')
    } finally {
      this.#assertPragmas()
    }
  }

  /** Puts a copy in the place of the whole content. Not within a transaction. */
  restore(bytes: Uint8Array): void {
    const connection = connect(this.#api, bytes)
    this.#close()
    this.#connection = connection
    this.#assertPragmas()
  }

  close(): void {
    this.#close()
  }

  #close(): void {
    // Closing the connection finalizes its statements.
    this.#prepared = new LruMap(PREPARED)
    this.#connection.close()
  }

  #prepare(text: string): SqlJsStatement {
    const kept = this.#prepared.get(text)
    if (kept !== undefined) return kept
    invariant(text.length <= LONGEST_STATEMENT, `a statement of ${text.length} characters`)
    const prepared = this.#connection.prepare(text)
    this.#prepared.set(text, prepared)?.free()
    return prepared
  }

  #assertPragmas(): void {
    for (const [name, set, read] of pragmas) {
      this.run({ text: `pragma ${name} = ${set}`, returns: false }, [])
      const [row] = this.run({ text: `pragma ${name}`, returns: true }, [])
      invariant(row?.[0] === read, `SQLite did not take the pragma ${name}`)
    }
  }
}

function connect(api: SqlJsApi, bytes: Uint8Array | undefined): SqlJsDatabase {
  try {
    return bytes === undefined ? new api.Database() : new api.Database(bytes)
  } catch (error) {
    throw engineError(error, 'open')
  }
}

/** What went wrong: a trap or an overflowing stack means that nothing in this engine can be trusted any more. */
function engineError(error: unknown, text: string): unknown {
  if (error instanceof webAssembly.RuntimeError || error instanceof RangeError) {
    return new EngineFailure(`the database engine broke: ${error.message}`, { cause: error })
  }
  return failureOf(error, text)
}
