// Every write of `content/` goes through here: in a transaction of its own, or as part of the caller's. Records which
// content-types a commit has changed, and runs the work that may only follow a commit.

import type { Database, Work } from '../databases/database.ts'
import type { ContentType } from '../model/content-type.ts'
import { AsyncContext } from '../util/async-context.ts'

export interface Change {
  /** The changed content-types; called when the work is done, and only if there is an `onCommit`. */
  types(): Iterable<ContentType>
  /** Awaited after the commit: for work that cannot be undone. */
  committed?(): void | Promise<void>
  /** Whether the work may take longer than a request. */
  readonly patient?: boolean
}

export interface Transactions {
  write<T>(work: () => Work<T>, change: Change): Promise<T>
  /**
   * Runs everything that `task` reads and writes in one transaction; a nested call joins the outer one. Databases
   * limit how long they wait for the task; in an embedded database all other requests wait meanwhile.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
}

/** Called once for each commit. */
export type OnCommit = (changed: ReadonlySet<ContentType>) => void

interface Unit {
  readonly done: Change[]
  over: boolean
}

export function createTransactions(database: Database, onCommit: OnCommit | undefined): Transactions {
  const units = new AsyncContext<Unit>()

  /** Undefined also after the transaction has ended: code that was not awaited does not belong to it. */
  function outer(): Unit | undefined {
    const unit = units.get()
    return unit?.over === false ? unit : undefined
  }

  async function settle(done: readonly Change[]): Promise<void> {
    if (onCommit !== undefined && done.length > 0)
      onCommit(new Set(done.flatMap(({ types }) => [...types()])))
    for (const { committed } of done) await committed?.()
  }

  return {
    async write(work, change) {
      const unit = outer()
      const result = await database.transaction(work, change.patient)
      if (unit === undefined) await settle([change])
      else unit.done.push(change)
      return result
    },

    async inTransaction(task) {
      const around = outer()
      const unit: Unit = { done: [], over: false }
      try {
        const result = await database.hold(() => units.run(unit, task))
        unit.over = true
        if (around === undefined) await settle(unit.done)
        else around.done.push(...unit.done)
        return result
      } finally {
        unit.over = true
      }
    },
  }
}
