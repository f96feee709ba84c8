// Caches the prepared statements of one connection that are used repeatedly; the least recently used ones are freed.

import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { invariant } from '../../../lib/errors/invariant.ts'
import { MAX_STATEMENT_LENGTH } from '../../sql/statement.ts'
import { countPlaceholders, defines, getWeight, isReadOnly, redefines } from '../sqlite/statement-text.ts'
import type { ReadRow } from './row-reader.ts'
import type { SqlJsDatabase, SqlJsStatement } from './sql-js-types.ts'

export interface PreparedStatement {
  readonly statement: SqlJsStatement
  readonly readRow: ReadRow
  readonly placeholders: number
  readonly reads: boolean
  readonly redefines: boolean
  /** Otherwise it is freed after this use. */
  kept: boolean
  /** A cursor has unread rows: other code may not use or free the statement. */
  suspended: boolean
}

export class PreparedStatements {
  readonly #connection: SqlJsDatabase
  readonly #kept: BoundedCache<PreparedStatement>

  readonly #readRow: ReadRow

  /** `budget`: bytes. */
  constructor(connection: SqlJsDatabase, budget: number, readRow: ReadRow = (statement) => statement.get()) {
    this.#connection = connection
    this.#readRow = readRow
    this.#kept = new BoundedCache({ name: 'statements', budget, dispose: release })
  }

  get size(): number {
    return this.#kept.size
  }

  get(text: string): PreparedStatement {
    const kept = this.#kept.get(text)
    return kept === undefined || kept.suspended ? this.#prepare(text) : kept
  }

  #prepare(text: string): PreparedStatement {
    invariant(text.length <= MAX_STATEMENT_LENGTH, `a statement of ${text.length} characters`)
    const prepared: PreparedStatement = {
      statement: this.#connection.prepare(text),
      readRow: this.#readRow,
      placeholders: countPlaceholders(text),
      reads: isReadOnly(text),
      redefines: redefines(text),
      kept: false,
      suspended: false,
    }
    // A second statement of the same text, beside a suspended one, is not cached.
    const known = this.#kept.get(text) !== undefined
    prepared.kept = !known && !defines(text) && this.#kept.offer(text, prepared, getWeight(text))
    return prepared
  }
}

function release(prepared: PreparedStatement): void {
  if (prepared.suspended) prepared.kept = false
  else prepared.statement.free()
}
