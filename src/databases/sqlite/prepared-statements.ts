// Caches the prepared statements of one connection that are used repeatedly; the least recently used ones are freed.

import { invariant } from '../../errors/invariant.ts'
import { BoundedCache } from '../../util/bounded-cache.ts'
import type { SqlJsDatabase, SqlJsStatement } from './sql-js-types.ts'
import { countPlaceholders, defines, onlyReads, weightOf } from './statement-text.ts'

/** The longest text of a statement in characters; statements compiled here are far shorter. */
const LONGEST = 1_000_000

export interface Prepared {
  readonly statement: SqlJsStatement
  readonly placeholders: number
  /** Whether the statement only reads. */
  readonly reads: boolean
  /** False if the statement is freed after one use. */
  readonly kept: boolean
}

export class PreparedStatements {
  readonly #connection: SqlJsDatabase
  readonly #kept: BoundedCache<Prepared>

  /** `budget`: bytes. */
  constructor(connection: SqlJsDatabase, budget: number) {
    this.#connection = connection
    this.#kept = new BoundedCache({ budget, dispose: ({ statement }) => statement.free() })
  }

  get size(): number {
    return this.#kept.size
  }

  get(text: string): Prepared {
    return this.#kept.get(text) ?? this.#prepare(text)
  }

  #prepare(text: string): Prepared {
    invariant(text.length <= LONGEST, `a statement of ${text.length} characters`)
    const prepared: Prepared = {
      statement: this.#connection.prepare(text),
      placeholders: countPlaceholders(text),
      reads: onlyReads(text),
      kept: true,
    }
    const kept = !defines(text) && this.#kept.offer(text, prepared, weightOf(text))
    return kept ? prepared : { ...prepared, kept: false }
  }
}
