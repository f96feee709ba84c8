// A validated write, and the context of writes.

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

export interface ValidatedWrite {
  readonly event: WriteEvent
  /** Undefined for a delete. */
  readonly planned: PlannedPayload | undefined
  readonly hooks: TypeHooks | undefined
  readonly rules: RuledWrite
  readonly output: Pick<EntryReader, 'readWork'>
  /** For a create: the joined locale variants, and the localized one. */
  readonly joined?: readonly number[]
  readonly localizes?: number | undefined
  /** For an update: whether it publishes the entry. */
  readonly publishes?: boolean
  types(): ReadonlySet<ContentType>
}

export interface StoredEntry {
  readonly entry: EntryRow
  /** The whole entry for users' hooks; undefined without such hooks. */
  readonly result: EntryObject | undefined
  readonly variants: readonly number[]
}

export interface WriteContext {
  readonly storage: Storage
  readonly transactions: Transactions
  readonly changedTypes: ChangedTypes
  readonly find: WithinTransaction['find']
  readonly prepareOne: PrepareEntry
  /** May grow until the first write. */
  readonly recorders: readonly ChangeRecorder[]
  /** Whether `required` does not apply to relations and media. */
  readonly looseRelations: boolean
  /** Epoch milliseconds. */
  now(): number
}
