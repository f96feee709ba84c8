// Runs reads in the main thread, except statements that are expected to take long.

import { performance } from 'node:perf_hooks'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { type Cursor, type Engine, TAKES_LONG } from './finish-work.ts'
import type { LibsqlConnection } from './libsql-connection.ts'
import type { LongStatements } from './long-statements.ts'

export class ShortReader implements Engine {
  readonly connection: LibsqlConnection
  readonly #long: LongStatements
  readonly #mayRefuse: () => boolean

  constructor(connection: LibsqlConnection, long: LongStatements, mayRefuse: () => boolean) {
    this.connection = connection
    this.#long = long
    this.#mayRefuse = mayRefuse
  }

  run(statement: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[] {
    return this.connection.run(statement, values, reading)
  }

  /** Throws TAKES_LONG. */
  open(statement: Statement, values: readonly SqlValue[]): Cursor {
    if (!this.#mayRefuse()) return this.connection.open(statement, values)
    if (this.#long.has(statement, () => this.connection.explain(statement, values))) throw TAKES_LONG
    return new MeasuredCursor(this.connection.open(statement, values), statement, this.#long)
  }
}

class MeasuredCursor implements Cursor {
  readonly #cursor: Cursor
  readonly #statement: Statement
  readonly #long: LongStatements

  constructor(cursor: Cursor, statement: Statement, long: LongStatements) {
    this.#cursor = cursor
    this.#statement = statement
    this.#long = long
  }

  get rows(): readonly SqlRow[] {
    return this.#cursor.rows
  }

  read(until: number): boolean {
    const started = performance.now()
    const done = this.#cursor.read(until)
    this.#long.took(this.#statement, performance.now() - started)
    return done
  }
}
