// A write between its validation and its transaction, and where writes happen.

import type { ContentType } from '../model/content-type.ts'
import type { PlannedPayload } from '../plan/write/write-plan.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import type { EntryReader, PrepareEntry } from '../query/rows/entry-reader.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { ChangedTypes } from './changed-types.ts'
import type { WithinTransaction, WriteEvent } from './lifecycle.ts'
import type { ChangeRecorder } from './recorded-changes.ts'
import type { TypeHooks } from './run-lifecycles.ts'
import type { Storage } from './storage.ts'
import type { Transactions } from './unit-of-work.ts'
import type { RuledWrite } from './write-rules.ts'

/** A write with validated data. */
export interface ValidatedWrite {
  readonly event: WriteEvent
  /** Undefined for a delete. */
  readonly planned: PlannedPayload | undefined
  readonly hooks: TypeHooks | undefined
  /** The caller's rules, with the options of the write. */
  readonly rules: RuledWrite
  /** Reads the entry as it is answered. */
  readonly output: Pick<EntryReader, 'readWork'>
  /** Of a create: entries of the same content in other locales, and the one that the caller localizes. */
  readonly joined?: readonly number[]
  readonly localizes?: number | undefined
  /** Of an update: whether it publishes the entry. */
  readonly publishes?: boolean
  /** The content-types that the write itself changes, without those that hooks change. */
  types(): ReadonlySet<ContentType>
}

/** The result of the transaction of a write. */
export interface StoredEntry {
  readonly entry: EntryRow
  /** The whole entry for users' hooks, even if the answer shows less; undefined when the type has no such hooks. */
  readonly result: EntryObject | undefined
  /** Entries of other locales that were changed with it. */
  readonly variants: readonly number[]
}

/** Where writes happen. */
export interface WriteContext {
  readonly storage: Storage
  readonly transactions: Transactions
  readonly changedTypes: ChangedTypes
  /** The `find` of hooks, within the transaction. */
  readonly find: WithinTransaction['find']
  readonly prepareOne: PrepareEntry
  /** May grow until the first write. */
  readonly recorders: readonly ChangeRecorder[]
  /** Whether `required` does not count for relations and media. */
  readonly looseRelations: boolean
  /** Epoch milliseconds. */
  now(): number
}
