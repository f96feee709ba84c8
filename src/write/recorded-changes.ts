// The extension point for recorders of changes, which commit together with the change.

import type { Principal } from '../access/principal.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'
import type { WriteAction } from './lifecycle.ts'

/** Undefined for the server's own code. */
export type Writer = Pick<Principal, 'kind' | 'name' | 'id'>

export interface ChangedDocument {
  readonly id: string
  /** Undefined for types without versions. */
  readonly status: 'draft' | 'published' | undefined
}

export interface EntryChange {
  /**
   * `reset`: a seed replaced all entries of the type. `draft-discard`: a draft was reset to the published
   * version.
   */
  readonly action: WriteAction | 'publish' | 'unpublish' | 'draft-discard' | 'reset'
  readonly type: ContentType
  /** Undefined for `reset`. */
  readonly id: number | undefined
  /** The written attributes, without duplicates; empty for `delete` and `reset`. */
  readonly attributes: readonly string[]
  /** The former values of `paramsBefore`; undefined for new entries. */
  readonly before: EntryObject | undefined
  /** Set for new entries of localized types, and for documents. */
  readonly locale: string | undefined
  readonly document?: ChangedDocument
  readonly by: Writer | undefined
}

export interface ChangeRecorder {
  follows(type: ContentType): boolean
  /** The read before a change or delete, within the transaction; undefined: no read. */
  paramsBefore(type: ContentType, action: 'update' | 'delete'): Params | undefined
  /** Runs at the end of the transaction, after all its other statements. */
  record(changes: readonly EntryChange[]): Work<void>
  /** Called after a commit that recorded changes. */
  recorded(): void
}

export function listWrittenNames(plan: WritePlan): readonly string[] {
  const scalars = [...plan.values.keys(), ...plan.changes.keys()].filter(({ system }) => !system)
  return [...new Set([...scalars.map(({ name }) => name), ...listNamesWithoutColumn(plan)])]
}

/** Generated values are among them: their columns are not in the plan's values. */
export function listNamesWithoutColumn({
  links,
  morphs,
  components,
  generated,
}: WritePlan): readonly string[] {
  return [...links, ...morphs, ...components, ...generated].map(({ attribute }) => attribute.name)
}
