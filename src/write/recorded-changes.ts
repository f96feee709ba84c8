// The extension point for a record of changes: what each write did to which entries is recorded at the end of its
// transaction, so that it is there if, and only if, the change is.

import type { Principal } from '../access/principal.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'
import type { WriteAction } from './lifecycle.ts'

/** Who writes: a user, a token or anybody; undefined for the server's own code. */
export type Writer = Pick<Principal, 'kind' | 'name' | 'id'>

export interface ChangedDocument {
  readonly id: string
  /** Undefined for types without versions. */
  readonly status: 'draft' | 'published' | undefined
}

/** A change of one entry. */
export interface EntryChange {
  /**
   * `reset`: entries of the type were replaced as a whole, by a seed. `draft-discard`: a draft was put back to what is
   * published.
   */
  readonly action: WriteAction | 'publish' | 'unpublish' | 'draft-discard' | 'reset'
  readonly type: ContentType
  /** Undefined for `reset`. */
  readonly id: number | undefined
  /** Names of the attributes that were written, each once; empty for `delete` and `reset`. */
  readonly attributes: readonly string[]
  /** The values of `paramsBefore`, as they were before; undefined for new entries. */
  readonly before: EntryObject | undefined
  /** The locale of a new entry of a localized type, and of every document's. */
  readonly locale: string | undefined
  /** Which version of which document the entry is; undefined where entries are no documents. */
  readonly document?: ChangedDocument
  readonly by: Writer | undefined
}

export interface ChangeRecorder {
  /** Whether changes of the content-type are recorded. */
  follows(type: ContentType): boolean
  /** The params of the read before an entry is changed or deleted, within the transaction; undefined: no read. */
  paramsBefore(type: ContentType, action: 'update' | 'delete'): Params | undefined
  /** Runs at the end of the transaction, after all its other statements. */
  record(changes: readonly EntryChange[]): Work<void>
  /** Called after a commit that recorded changes. */
  recorded(): void
}

/** The attributes that a plan writes, without those that the runtime maintains. */
export function writtenNames(plan: WritePlan): readonly string[] {
  const scalars = [...plan.values.keys()].filter(({ system }) => !system)
  const variants = [...plan.links, ...plan.morphs, ...plan.components, ...plan.generated]
  return [...new Set([...scalars, ...variants.map(({ attribute }) => attribute)].map(({ name }) => name))]
}
