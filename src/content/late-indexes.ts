// In memory, indexes of numbers and moments are created when a list first asks for what they find or sort: until then no
// write keeps them (decision 0255). A list without its index is only slower.

import { type Database, EngineFailure, run, StatementFailure } from '../databases/database.ts'
import type { Statistics } from '../plan/price.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { ModelLayout } from '../sql/build-layout.ts'
import type { CompiledRead } from '../sql/compiled-read.ts'
import { type LateIndex, lateIndexesOf } from '../sql/late-indexes.ts'
import { createDdl } from '../sql/migrations/ddl.ts'
import type { Transactions } from './unit-of-work.ts'

export interface LateIndexParts {
  readonly layout: ModelLayout
  readonly database: Database
  readonly transactions: Pick<Transactions, 'entered'>
  readonly statistics: Pick<Statistics, 'rowsOf'>
}

/** So few entries are read as fast without an index; and snapshots of small tests need not take indexes with them. */
const FEW_ENTRIES = 200

/** Returns what is called before each list is read; `compiled` is the same object for questions of one shape. */
export function createLateIndexes({ layout, database, transactions, statistics }: LateIndexParts) {
  const ddl = createDdl(database.dialect)
  /** What a shape still asks for; nothing once it is there. */
  let waiting = new WeakMap<CompiledRead, readonly LateIndex[]>()
  let changes = database.outsideChanges

  function create(indexes: readonly LateIndex[]): unknown {
    return database.transaction(function* () {
      for (const { holder, index } of indexes)
        yield* run(ddl.createLateIndex(holder.collectionName, index), [])
    }, true)
  }

  return (plan: ReadPlan, compiled: CompiledRead): void => {
    // A snapshot that was put back may be of a time before the indexes.
    if (changes !== database.outsideChanges) {
      waiting = new WeakMap()
      changes = database.outsideChanges
    }
    const wanted = waiting.get(compiled) ?? lateIndexesOf(plan, layout)
    waiting.set(compiled, wanted)
    // A transaction that waits for users' code may be undone.
    if (wanted.length === 0 || transactions.entered) return
    const worth = wanted.filter(({ holder }) => statistics.rowsOf(holder) > FEW_ENTRIES)
    if (worth.length === 0) return
    waiting.set(
      compiled,
      wanted.filter((one) => !worth.includes(one)),
    )
    // Not awaited, and no reason to refuse the list, which is only slower: its own read tells what is wrong with the database.
    try {
      const done = create(worth)
      if (done instanceof Promise) done.catch(() => undefined)
    } catch (error) {
      if (!(error instanceof StatementFailure || error instanceof EngineFailure)) throw error
    }
  }
}
