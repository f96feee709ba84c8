// Predicts which statements take long, by their plan and past runs, so that they run on a thread.

import type { Statement } from '../../sql/statement.ts'

/** Milliseconds of the event loop that one statement may take; more than a busy machine suspends a process for. */
const MIN_LONG_MS = 20
/** Short runs required before a statement that looks at many rows moves to the main thread. */
const MIN_SHORT_RUNS = 16
/** After a long run; the time depends on the values, too. */
const MIN_SHORT_RUNS_AFTER_LONG = 1000

interface Pace {
  missing: number
}

const BY_IDS: Pace = { missing: 0 }

const TABLE = /^(?:SCAN|SEARCH) /
const BY_ID = /^SCAN CONSTANT ROW|USING INTEGER PRIMARY KEY \(rowid=\?\)$/
/** A whole table or index, a range of one, an index made for this one run, or rows that are sorted. */
const MANY_ROWS = /^SCAN (?!CONSTANT ROW)|[<>]|TEMP B-TREE|AUTOMATIC/

export class LongStatements {
  /** By the object, which is the same for all queries of one shape. */
  readonly #paces = new WeakMap<Statement, Pace>()

  /** `explain` is called once for each statement. */
  has(statement: Statement, explain: () => readonly string[]): boolean {
    if (statement.short === true) return false
    let pace = this.#paces.get(statement)
    if (pace === undefined) {
      pace = getPace(explain())
      this.#paces.set(statement, pace)
    }
    return pace.missing > 0
  }

  /** `ms`: how long the statement held its thread without a pause. */
  took(statement: Statement, ms: number): void {
    const pace = this.#paces.get(statement)
    if (pace === undefined || pace === BY_IDS) return
    if (ms > MIN_LONG_MS) pace.missing = MIN_SHORT_RUNS_AFTER_LONG
    else if (pace.missing > 0) pace.missing -= 1
  }
}

function getPace(plan: readonly string[]): Pace {
  if (plan.some((line) => MANY_ROWS.test(line))) return { missing: MIN_SHORT_RUNS }
  return plan.every((line) => BY_ID.test(line) || !TABLE.test(line)) ? BY_IDS : { missing: 0 }
}
