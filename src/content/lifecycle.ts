// The socket for what shall happen with every write (decision 0035): whichever door a write came
// through, each hook of a content-type runs once. Plugins work within the transaction; users' code is awaited.

import type { Work } from '../databases/database.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { Access } from '../plan/planning.ts'
import type { WritePlan } from '../plan/write-plan.ts'
import type { EntryObject } from './to-object.ts'

export type WriteAction = 'create' | 'update' | 'delete'

/** One write, from its first hook to its last. */
export interface WriteEvent {
  readonly action: WriteAction
  readonly type: ContentType
  /** Undefined as long as a new entry has none. */
  id: number | undefined
  /** What was sent; empty for a delete. `prepare` may put other data in its place. */
  data: Readonly<Record<string, unknown>>
  readonly access: Access
  /** The runtime's own write, which may set what payloads may not. */
  readonly trusted: boolean
  /** Drafts that become entries, and entries that become drafts; undefined where the write changes no such thing. */
  readonly publishes: 'publish' | 'unpublish' | undefined
  /** For the hooks of one write to tell each other things; new for every write. */
  readonly state: Record<string, unknown>
}

/** What a hook may do within the transaction. */
export interface WithinTransaction {
  /** Checked and cast already by `planWrite`; hooks are not run for it. Answers false when there is no such entry. */
  update(plan: WritePlan, id: number): Work<boolean>
  insert(plan: WritePlan): Work<number>
  /** Every entry, drafts and all locales included, unless the params say otherwise. */
  find(type: ContentType, params: Params): Work<readonly EntryObject[]>
}

export interface Lifecycle {
  /** Asked once for every content-type of a generation. */
  appliesTo(type: ContentType): boolean
  /** Awaited before the transaction begins: it may take its time, change `event.data`, or refuse by throwing. */
  prepare?(event: WriteEvent): void | Promise<void>
  /** In the transaction, before the rows are written; `plan` is undefined for a delete. */
  before?(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /** In the transaction, behind everything that the write did itself; `event.id` is known. */
  after?(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /**
   * Users' code behind a write, awaited before the answer: `result` is the entry as it was written, or as it was
   * before it was deleted. What it throws undoes the write.
   */
  finish?(event: WriteEvent, result: EntryObject): void | Promise<void>
  /** When the transaction is committed: what cannot be undone (files that are removed) belongs here. */
  committed?(event: WriteEvent): void | Promise<void>
}
