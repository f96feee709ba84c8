// Through here goes every write of the room: a transaction of its own, or a part of the one that the caller is in. It knows which
// content-types a commit has changed, and runs what may only follow a commit.

import type { Database, Work } from '../databases/database.ts'
import type { ContentType } from '../model/content-type.ts'
import { AsyncContext } from '../util/async-context.ts'

export interface Change {
  /** Asked when the work is done, and only where somebody is told. */
  types(): Iterable<ContentType>
  /** Awaited behind the commit: what cannot be undone. */
  committed?(): void | Promise<void>
  /** It may take longer than a request. */
  readonly patient?: boolean
}

export interface Transactions {
  write<T>(work: () => Work<T>, change: Change): Promise<T>
  /**
   * All that `task` reads and writes is one transaction; one within another is a part of it. Databases limit how long they
   * wait for the task, and an embedded one has everybody else wait meanwhile.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
}

/** Told once for each commit. */
export type OnCommit = (changed: ReadonlySet<ContentType>) => void

interface Unit {
  readonly done: Change[]
  over: boolean
}

export function createTransactions(database: Database, onCommit: OnCommit | undefined): Transactions {
  const units = new AsyncContext<Unit>()

  /** What code does that its transaction did not wait for belongs to none. */
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
