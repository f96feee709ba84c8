// Every write of `write/` goes through here: in a transaction of its own, or as part of the caller's. Records which
// content-types a commit has changed, and runs the work that may only follow a commit.

import { AsyncContext } from '../lib/async-context.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ChangedEntry } from '../query/content-versions.ts'
import type { Database, Work } from '../storage/database.ts'
import type { ChangeRecorder, EntryChange } from './recorded-changes.ts'

export interface Change {
  /** The content-types of which entries or links changed; called when the work is done. */
  types(): ReadonlySet<ContentType>
  /** The entries whose own values changed, or may have; called when the work is done. */
  entries(): readonly ChangedEntry[]
  /** Awaited after the commit: for work that cannot be undone. */
  readonly committed?: (() => void | Promise<void>) | undefined
  /** Whether the work may take longer than a request. */
  readonly patient?: boolean
  /** The changes of entries that are recorded; called when the work is done. */
  readonly recorded?: (() => readonly EntryChange[]) | undefined
}

export interface Transactions {
  write<T>(work: () => Work<T>, change: Change): Promise<T>
  /**
   * Runs everything that `task` reads and writes in one transaction; a nested call joins the outer one. Databases
   * limit how long they wait for the task; in an embedded database all other requests wait meanwhile.
   */
  inTransaction<T>(task: () => Promise<T>): Promise<T>
  /** Whether the caller is within `inTransaction`, where it sees what is not committed yet. */
  readonly entered: boolean
}

export interface TransactionHooks {
  /** May grow until the first write. */
  readonly recorders?: readonly ChangeRecorder[]
  /** Called at the end of each write, within its transaction, which may still be undone. */
  readonly onWrite?: (() => void) | undefined
  /** Called once for each commit, with the content-types and the entries that it changed. */
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

  /** Undefined also after the transaction has ended: code that was not awaited does not belong to it. */
  function outer(): Unit | undefined {
    const unit = units.get()
    return unit?.over === false ? unit : undefined
  }

  /** Records what was done; the last statements of the outermost transaction, so that its locks are short. */
  function* record(done: readonly Change[]): Work<void> {
    const changes = done.flatMap((change) => change.recorded?.() ?? [])
    if (changes.length > 0) for (const recorder of recorders) yield* recorder.record(changes)
  }

  /** `changes`: those that are recorded. */
  function* noted<T>(work: () => Work<T>, changes: readonly Change[]): Work<T> {
    const result = yield* work()
    yield* record(changes)
    onWrite?.()
    return result
  }

  /** Tells of a commit; returns the work that is awaited after it. */
  function settle(done: readonly Change[]): void | Promise<void> {
    const [first] = done
    if (first === undefined) return
    // Nearly always one write; then nothing is copied.
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
