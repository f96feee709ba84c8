// Runs statements on a libsql thread. libsql finds only the first row there, so a wrapping statement finds
// all rows before it.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setInterval, setTimeout } from 'node:timers'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import { waitForTurn } from '../../../lib/next-turn.ts'
import { checkValues } from '../../check-values.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { buildFileFailure, createUnavailable, getCode } from './file-failure.ts'
import { ROWS_BETWEEN_CHECKS, SLICE_MS } from './finish-work.ts'
import { readerPragmas, toBound } from './libsql-connection.ts'
import type { AsyncLibsqlDatabase, AsyncLibsqlStatement } from './libsql-types.ts'
import { countPlaceholders, isReadOnly } from './statement-text.ts'

const RETRY_INTERVAL_MS = 10

const MAX_STATEMENTS = 100

export class ThreadReader {
  readonly #database: AsyncLibsqlDatabase
  /**
   * All stay until the connection is closed: to free one, the garbage collector would wait, with the main
   * thread, until the running one ends.
   */
  readonly #prepared = new Map<string, AsyncLibsqlStatement>()
  #failed = false

  private constructor(database: AsyncLibsqlDatabase) {
    this.#database = database
  }

  static async open(database: AsyncLibsqlDatabase): Promise<ThreadReader> {
    for (const [name, set] of readerPragmas) await database.exec(`pragma ${name} = ${set}`)
    return new ThreadReader(database)
  }

  get reusable(): boolean {
    return !this.#failed && this.#prepared.size < MAX_STATEMENTS
  }

  /** Until `end`, all statements read one state. */
  async begin(): Promise<void> {
    await this.#exec('begin')
  }

  async end(): Promise<void> {
    // A closed connection keeps its state until the garbage collector has freed its statements.
    await this.#exec('commit').catch(() => {})
  }

  close(): void {
    this.#database.close()
  }

  /** `limit`: milliseconds. `took` receives the milliseconds on the thread. */
  async read(
    statement: Statement,
    values: readonly SqlValue[],
    limit: number,
    took: (ms: number) => void,
  ): Promise<readonly SqlRow[]> {
    const { text } = statement
    if (!isReadOnly(text)) throw new InvariantError('a read may not write')
    checkValues(values, countPlaceholders(text))
    let overdue = false
    let timer: NodeJS.Timeout | undefined
    try {
      const prepared = await this.#prepare(text)
      timer = setTimeout(() => {
        overdue = true
        this.#database.interrupt()
        // An interruption before the statement has begun on its thread has no effect.
        timer = setInterval(() => this.#database.interrupt(), RETRY_INTERVAL_MS)
      }, limit)
      const started = performance.now()
      const rows = await prepared.iterate(values.map(toBound))
      took(performance.now() - started)
      return await readAll(rows)
    } catch (error) {
      this.#failed = true
      if (overdue && getCode(error) === 'SQLITE_INTERRUPT')
        throw createUnavailable(`The query took longer than ${limit} ms`, error)
      throw buildFileFailure(error, text)
    } finally {
      clearTimeout(timer)
    }
  }

  async #prepare(text: string): Promise<AsyncLibsqlStatement> {
    let prepared = this.#prepared.get(text)
    if (prepared === undefined) {
      prepared = (
        await this.#database.prepare(`with found as materialized (${text}) select * from found`)
      ).raw()
      this.#prepared.set(text, prepared)
    }
    return prepared
  }

  async #exec(text: string): Promise<void> {
    try {
      await this.#database.exec(text)
    } catch (error) {
      this.#failed = true
      throw buildFileFailure(error, text)
    }
  }
}

async function readAll(left: Iterator<SqlRow, undefined>): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = []
  let until = performance.now() + SLICE_MS
  for (let row = left.next(); row.done !== true; row = left.next()) {
    rows.push(row.value)
    if (rows.length % ROWS_BETWEEN_CHECKS > 0 || performance.now() < until) continue
    await waitForTurn()
    until = performance.now() + SLICE_MS
  }
  return rows
}
