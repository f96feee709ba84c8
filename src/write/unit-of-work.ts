// Runs every write in its own or the caller's transaction, and publishes its changes after the commit.

import { AsyncContext } from '../lib/async-context.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ChangedEntry } from '../query/content-versions.ts'
import type { Database, Work } from '../storage/database.ts'
import type { ChangeRecorder, EntryChange } from './recorded-changes.ts'

export interface Change {
  /** Call it after the work. */
  types(): ReadonlySet<ContentType>
  /** May include unchanged entries; call it after the work. */
  entries(): readonly ChangedEntry[]
  /** Awaited after the commit: for work that cannot be undone. */
  readonly committed?: (() => void | Promise<void>) | undefined
  /** Whether the work may take longer than a request. */
  readonly patient?: boolean
  /** Call it after the work. */
  readonly recorded?: (() => readonly EntryChange[]) | undefined
}

export interface Transactions {
  write<T>(work: () => Work<T>, change: Change): Promise<T>
  /**
   * A nested call joins the outer transaction. `task` has limited time; in an embedded database all other
   * requests wait.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
  /** Within `inTransaction`, reads see uncommitted changes. */
  readonly entered: boolean
}

export interface TransactionHooks {
  /** May grow until the first write. */
  readonly recorders?: readonly ChangeRecorder[]
  /** Called within the write's transaction, which may still be undone. */
  readonly onWrite?: (() => void) | undefined
  /** Called once per commit. */
  onCommit(types: ReadonlySet<ContentType>, entries: readonly ChangedEntry[]): void
}

interface Unit {
  readonly done: Change[]
  over: boolean
}

export function createTransactions(
  database: Database,
  { recorders = [], onWrite, onCommit }: TransactionHooks,
): Transactions {
  const units = new AsyncContext<Unit>()
  let open = 0

  /** Undefined also after the transaction has ended: code that was not awaited is outside it. */
  function outer(): Unit | undefined {
    const unit = units.get()
    return unit?.over === false ? unit : undefined
  }

  /** Runs last in the outermost transaction, to keep its locks short. */
  function* record(done: readonly Change[]): Work<void> {
    const changes = done.flatMap((change) => change.recorded?.() ?? [])
    if (changes.length > 0) for (const recorder of recorders) yield* recorder.record(changes)
  }

  function* noted<T>(work: () => Work<T>, changes: readonly Change[]): Work<T> {
    const result = yield* work()
    yield* record(changes)
    onWrite?.()
    return result
  }

  /** Returns the work that is awaited after the commit. */
  function settle(done: readonly Change[]): void | Promise<void> {
    const [first] = done
    if (first === undefined) return
    // The usual single write avoids a copy.
    if (done.length === 1) onCommit(first.types(), first.entries())
    else
      onCommit(
        new Set(done.flatMap((change) => [...change.types()])),
        done.flatMap((change) => change.entries()),
      )
    if (recorders.length > 0 && done.some((change) => (change.recorded?.().length ?? 0) > 0))
      for (const recorder of recorders) recorder.recorded()
    const following = done.filter((change) => change.committed !== undefined)
    if (following.length > 0) return follow(following)
  }

  async function follow(done: readonly Change[]): Promise<void> {
    for (const change of done) await change.committed?.()
  }

  return {
    async write(work, change) {
      const unit = outer()
      const records = unit === undefined && recorders.length > 0
      const follows = records || onWrite !== undefined
      const outcome = database.transaction(follows ? () => noted(work, records ? [change] : []) : work, {
        patient: change.patient,
      })
      const result = outcome instanceof Promise ? await outcome : outcome
      if (unit !== undefined) unit.done.push(change)
      else {
        const following = settle([change])
        if (following !== undefined) await following
      }
      return result
    },

    async inTransaction(task) {
      const around = outer()
      const unit: Unit = { done: [], over: false }
      open += 1
      try {
        const result = await database.hold(async () => {
          const outcome = await units.run(unit, task)
          if (around === undefined && recorders.length > 0 && unit.done.length > 0)
            await database.transaction(() => record(unit.done))
          return outcome
        })
        unit.over = true
        if (around === undefined) await settle(unit.done)
        else around.done.push(...unit.done)
        return result
      } finally {
        unit.over = true
        open -= 1
      }
    },

    get entered() {
      return open > 0 && outer() !== undefined
    },
  }
}
