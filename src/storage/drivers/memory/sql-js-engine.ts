// Runs statements on one instance of sql.js.

import { performance } from 'node:perf_hooks'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import { InvariantError, invariant } from '../../../lib/errors/invariant.ts'
import { checkValues } from '../../check-values.ts'
import { EngineFailure, type Snapshot } from '../../database.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { buildFailure } from '../sqlite/failure-of.ts'
import { type Cursor, ROWS_BETWEEN_CHECKS } from '../sqlite/finish-work.ts'
import { type LoadedSqlJs, loadSqlJs } from './load-sql-js.ts'
import { createEmptyDatabase, getPages, PagedFile } from './paged-file.ts'
import { type PreparedStatement, PreparedStatements } from './prepared-statements.ts'
import { type SqlJsDatabase, webAssembly } from './sql-js-types.ts'

/** Each is read back, because SQLite ignores an unknown pragma silently. */
const pragmas: readonly (readonly [name: string, set: string, read: SqlValue])[] = [
  ['foreign_keys', 'on', 1],
  ['recursive_triggers', 'on', 1],
  ['trusted_schema', 'off', 0],
  ['cell_size_check', 'on', 1],
  // The file exists only in memory. Without locks and checks of its change counter, reading one row takes 2.8
  // instead of 12 µs.
  ['locking_mode', 'exclusive', 'exclusive'],
  ['journal_mode', 'memory', 'memory'],
  ['synchronous', 'off', 0],
  ['temp_store', 'memory', 2],
  // In KiB, used as the content grows. With SQLite's default of 2 MB, reading one row of many takes a fifth longer.
  ['cache_size', '-32000', -32_000],
  // Above this, SQLite refuses a statement; at WebAssembly's limit of 2 GB the engine would break.
  ['hard_heap_limit', '1500000000', 1_500_000_000],
]

interface Connection {
  readonly database: SqlJsDatabase
  readonly file: PagedFile
  readonly prepared: PreparedStatements
}

export class SqlJsEngine {
  readonly #loaded: LoadedSqlJs
  #connection: Connection
  readonly #suspended = new Set<SqlJsCursor>()

  private constructor(loaded: LoadedSqlJs, content: Snapshot) {
    this.#loaded = loaded
    this.#connection = connect(loaded, content)
  }

  static async open(content: Snapshot = createEmptyDatabase()): Promise<SqlJsEngine> {
    return new SqlJsEngine(await loadSqlJs(), content)
  }

  get prepared(): number {
    return this.#connection.prepared.size
  }

  run({ text }: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[] {
    try {
      const prepared = this.#connection.prepared.get(text)
      if (prepared.redefines) this.#connection.file.redefined()
      return runPrepared(prepared, values, reading)
    } catch (error) {
      throw engineError(error, text)
    }
  }

  open({ text }: Statement, values: readonly SqlValue[]): Cursor {
    try {
      return new SqlJsCursor(start(this.#connection.prepared.get(text), values, true), text, this.#suspended)
    } catch (error) {
      throw engineError(error, text)
    }
  }

  /** Not allowed within a transaction. */
  copy(): Snapshot {
    const { database, file } = this.#connection
    if (!file.lost) return file.copy()
    try {
      return getPages(database.export())
    } catch (error) {
      throw engineError(error, 'export')
    }
  }

  /** Not allowed within a transaction. */
  restore(content: Snapshot): void {
    for (const cursor of this.#suspended) cursor.abandon()
    this.#suspended.clear()
    if (this.#connection.file.takes(content)) this.#putBack(content)
    else {
      const connection = connect(this.#loaded, content)
      this.#connection.database.close()
      this.#connection = connection
    }
  }

  #putBack(content: Snapshot): void {
    const { prepared, file } = this.#connection
    try {
      // An exclusive lock ends with the first statement after the mode was changed.
      for (const text of ['pragma locking_mode = normal', 'pragma schema_version'])
        runPrepared(prepared.get(text), [], false)
      file.putBack(content)
      runPrepared(prepared.get('pragma locking_mode = exclusive'), [], false)
    } catch (error) {
      throw engineError(error, 'restore')
    }
  }

  close(): void {
    this.#connection.database.close()
  }
}

function connect({ api, readRow }: LoadedSqlJs, content: Snapshot): Connection {
  let database: SqlJsDatabase | undefined
  try {
    const file = new PagedFile(content)
    database = new api.Database(file.asContent())
    const prepared = new PreparedStatements(database, cacheBudgets.statements, readRow)
    for (const [name, set, read] of pragmas) {
      runPrepared(prepared.get(`pragma ${name} = ${set}`), [], false)
      const [row] = runPrepared(prepared.get(`pragma ${name}`), [], false)
      invariant(row?.[0] === read, `SQLite did not take the pragma ${name}`)
    }
    return { database, file, prepared }
  } catch (error) {
    if (!isFatal(error)) database?.close()
    throw engineError(error, 'open')
  }
}

function runPrepared(
  prepared: PreparedStatement,
  values: readonly SqlValue[],
  reading: boolean,
): readonly SqlRow[] {
  const rows: SqlRow[] = []
  readRows(start(prepared, values, reading), rows, Number.POSITIVE_INFINITY)
  return rows
}

function start(
  prepared: PreparedStatement,
  values: readonly SqlValue[],
  reading: boolean,
): PreparedStatement {
  try {
    if (reading && !prepared.reads) throw new InvariantError('a read may not write')
    checkValues(values, prepared.placeholders)
    prepared.statement.bind(values)
  } catch (error) {
    if (!isFatal(error)) release(prepared)
    throw error
  }
  return prepared
}

function readRows(prepared: PreparedStatement, rows: SqlRow[], until: number): boolean {
  const { statement, readRow } = prepared
  prepared.suspended = false
  try {
    while (statement.step()) {
      rows.push(readRow(statement))
      if (rows.length % ROWS_BETWEEN_CHECKS === 0 && performance.now() > until) {
        prepared.suspended = true
        return false
      }
    }
  } catch (error) {
    // A broken engine must not be called again.
    if (!isFatal(error)) release(prepared)
    throw error
  }
  release(prepared)
  return true
}

class SqlJsCursor implements Cursor {
  readonly rows: SqlRow[] = []
  readonly #prepared: PreparedStatement
  readonly #text: string
  readonly #suspended: Set<SqlJsCursor>

  constructor(prepared: PreparedStatement, text: string, suspended: Set<SqlJsCursor>) {
    this.#prepared = prepared
    this.#text = text
    this.#suspended = suspended
  }

  read(until: number): boolean {
    this.#suspended.delete(this)
    try {
      if (readRows(this.#prepared, this.rows, until)) return true
    } catch (error) {
      throw engineError(error, this.#text)
    }
    this.#suspended.add(this)
    return false
  }

  abandon(): void {
    this.#prepared.suspended = false
    release(this.#prepared)
  }
}

function release({ statement, kept }: PreparedStatement): void {
  if (kept) statement.reset()
  else statement.free()
}

/** A trap or a stack overflow: the state of the engine can no longer be trusted. */
function isFatal(error: unknown): error is Error {
  return error instanceof webAssembly.RuntimeError || error instanceof RangeError
}

function engineError(error: unknown, text: string): unknown {
  if (isFatal(error))
    return new EngineFailure(`the database engine failed: ${error.message}`, { cause: error })
  return buildFailure(error, text)
}
