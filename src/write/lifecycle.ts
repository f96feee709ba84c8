// The extension point for code that runs once with every write, from any API.

import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'

/** The functions of users' lifecycles. */
export const LIFECYCLE_HOOKS = [
  'beforeCreate',
  'afterCreate',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
  'beforePublish',
  'afterPublish',
  'beforeUnpublish',
  'afterUnpublish',
] as const

export type WriteAction = 'create' | 'update' | 'delete'

export interface WriteEvent {
  readonly action: WriteAction
  readonly type: ContentType
  /** Undefined until a new entry has its id. */
  id: number | undefined
  /** The payload; empty for a delete. `prepare` may replace it. */
  data: Readonly<Record<string, unknown>>
  readonly access: Access
  /** The server's own write, which may set attributes that payloads may not. */
  readonly trusted: boolean
  /** `unpublish`: makes a published entry a draft. */
  readonly publishes: 'publish' | 'unpublish' | undefined
  /** A new object for every write, shared by its hooks. */
  readonly state: Record<string, unknown>
}

export interface WithinTransaction {
  /** Runs no hooks. Returns false when no entry has the id. */
  update(plan: WritePlan, id: number): Work<boolean>
  insert(plan: WritePlan): Work<number>
  /** Finds entries; drafts and all locales by default. */
  find(type: ContentType, params: Params): Work<readonly EntryObject[]>
}

export interface Lifecycle {
  /** Called once per content-type of an app. */
  appliesTo(type: ContentType): boolean
  /** Whether it is users' code, whose effects cannot be undone: a dry run leaves it out. */
  readonly isOfUsers?: true
  /** Awaited before the transaction; may be slow, change `event.data`, and throw to refuse the write. */
  prepare?(event: WriteEvent): void | Promise<void>
  /** Runs in the transaction, before the rows are written; `plan` is undefined for a delete. */
  before?(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /** Runs in the transaction, after all rows of the write. */
  after?(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /**
   * Users' code, awaited before the response: `result` is the entry as written, or as it was before deletion.
   * An error undoes the write.
   */
  finish?(event: WriteEvent, result: EntryObject): void | Promise<void>
  /** Runs after the commit: for work that cannot be undone, such as removing files. */
  committed?(event: WriteEvent): void | Promise<void>
}
