// The statements of one connection, prepared once and kept: at most so many, the one unused longest is freed first.

import { invariant } from '../../errors/invariant.ts'
import type { SqlJsDatabase, SqlJsStatement } from './sql-js-types.ts'
import { countPlaceholders, defines, onlyReads } from './statement-text.ts'

/** What is made here is far shorter. */
const LONGEST = 1_000_000

export interface Prepared {
  readonly statement: SqlJsStatement
  readonly placeholders: number
  /** Whether it only reads. */
  readonly reads: boolean
  /** False: it is freed after its one use. */
  readonly kept: boolean
  lastUse: number
}

export class PreparedStatements {
  readonly #connection: SqlJsDatabase
  readonly #capacity: number
  readonly #kept = new Map<string, Prepared>()
  #uses = 0

  constructor(connection: SqlJsDatabase, capacity: number) {
    this.#connection = connection
    this.#capacity = capacity
  }

  get size(): number {
    return this.#kept.size
  }

  /** A hit costs one look into the map; the oldest is searched for only when one has to leave. */
  get(text: string): Prepared {
    let prepared = this.#kept.get(text)
    if (prepared === undefined) {
      prepared = this.#prepare(text)
      if (!prepared.kept) return prepared
      if (this.#kept.size >= this.#capacity) this.#freeOldest()
      this.#kept.set(text, prepared)
    }
    this.#uses += 1
    prepared.lastUse = this.#uses
    return prepared
  }

  #prepare(text: string): Prepared {
    invariant(text.length <= LONGEST, `a statement of ${text.length} characters`)
    const statement = this.#connection.prepare(text)
    return {
      statement,
      placeholders: countPlaceholders(text),
      reads: onlyReads(text),
      kept: !defines(text),
      lastUse: 0,
    }
  }

  #freeOldest(): void {
    let oldest: readonly [string, Prepared] | undefined
    for (const entry of this.#kept) {
      if (oldest === undefined || entry[1].lastUse < oldest[1].lastUse) oldest = entry
    }
    if (oldest === undefined) return
    this.#kept.delete(oldest[0])
    oldest[1].statement.free()
  }
}
