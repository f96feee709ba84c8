// The extension point for code that runs with every write (decision 0004): whichever API the write came from, each
// hook of a content-type runs once. Plugins work within the transaction; users' code is awaited.

import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'

export type WriteAction = 'create' | 'update' | 'delete'

/** One write, from its first hook to its last. */
export interface WriteEvent {
  readonly action: WriteAction
  readonly type: ContentType
  /** Undefined until a new entry has its id. */
  id: number | undefined
  /** The payload; empty for a delete. `prepare` may replace it. */
  data: Readonly<Record<string, unknown>>
  readonly access: Access
  /** Whether this is the runtime's own write, which may set attributes that payloads may not. */
  readonly trusted: boolean
  /** Whether the write publishes a draft or makes a published entry a draft; undefined if it does neither. */
  readonly publishes: 'publish' | 'unpublish' | undefined
  /** Shared by the hooks of one write; a new object for every write. */
  readonly state: Record<string, unknown>
}

/** The abilities of a hook within the transaction. */
export interface WithinTransaction {
  /** `plan` comes from `planWrite`; no hooks run for this update. Returns false when no entry has the id. */
  update(plan: WritePlan, id: number): Work<boolean>
  insert(plan: WritePlan): Work<number>
  /** Finds entries, including drafts and all locales unless the params say otherwise. */
  find(type: ContentType, params: Params): Work<readonly EntryObject[]>
}

export interface Lifecycle {
  /** Called once for every content-type of an app. */
  appliesTo(type: ContentType): boolean
  /** Awaited before the transaction begins: may be slow, may change `event.data`, and may throw to refuse the write. */
  prepare?(event: WriteEvent): void | Promise<void>
  /** Runs in the transaction, before the rows are written; `plan` is undefined for a delete. */
  before?(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /** Runs in the transaction, after everything that the write itself did; `event.id` is known. */
  after?(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /**
   * Users' code after a write, awaited before the answer: `result` is the entry as it was written, or as it was before
   * it was deleted. An error that it throws undoes the write.
   */
  finish?(event: WriteEvent, result: EntryObject): void | Promise<void>
  /** Runs after the commit: for work that cannot be undone, such as removing files. */
  committed?(event: WriteEvent): void | Promise<void>
}
