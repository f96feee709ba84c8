// Records a write's changes for events, in its transaction: reads entries before the write and notes changes
// after it.

import { everyPermission } from '../access/principal.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { type EntryObject, toObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'
import type { DocumentRow } from './document-rows.ts'
import { listDocumentChanges, readDocumentBefore } from './documents/document-changes.ts'
import { type ChangeRecorder, type EntryChange, listWrittenNames } from './recorded-changes.ts'
import type { StoredEntry, ValidatedWrite, WriteContext } from './validated-write.ts'
import { lockEntry } from './writes/write-entries.ts'

interface WriteRecording {
  follows(type: ContentType): boolean
  /** Calls `note` with the changes. */
  record(
    write: ValidatedWrite,
    work: Work<StoredEntry>,
    note: (changes: readonly EntryChange[]) => void,
  ): Work<StoredEntry>
}

/** `recorders` may grow until the first write. */
export function createWriteRecording({
  storage,
  prepareOne,
  recorders,
}: Pick<WriteContext, 'storage' | 'prepareOne' | 'recorders'>): WriteRecording {
  function paramsOfImage(type: ContentType, action: 'update' | 'delete'): Params | undefined {
    for (const recorder of recorders) {
      const params = recorder.paramsBefore(type, action)
      if (params !== undefined) return params
    }
  }

  function* readImage(type: ContentType, params: Params, id: number): Work<EntryObject | undefined> {
    const { query, readWork } = prepareOne(type, params, everyPermission, false, false)
    const entry = yield* readWork(id)
    return entry === undefined ? undefined : toObject(query.plan, entry)
  }

  return {
    follows: (type) => recorders.some((recorder: ChangeRecorder) => recorder.follows(type)),

    *record(write, work, note) {
      const { event, planned, rules } = write
      const { type, action, id } = event
      const params = action === 'create' ? undefined : paramsOfImage(type, action)
      // Other writes then wait.
      if (params !== undefined && id !== undefined) yield* lockEntry(storage, type, id)
      if (type.document === undefined) {
        const before =
          params === undefined || id === undefined ? undefined : yield* readImage(type, params, id)
        const stored = yield* work
        note(getChanges(write, before, stored))
        return stored
      }
      // Versions are linked to versions of their own kind. Not a generator of its own: V8 would keep the
      // request with it (0004).
      const buildImage =
        params &&
        ((row: DocumentRow): Work<EntryObject | undefined> =>
          readImage(
            type,
            { ...params, publicationState: row.version === 'published' ? 'live' : 'draft' },
            row.id,
          ))
      const before = yield* readDocumentBefore(storage, type, id, buildImage)
      const stored = yield* work
      const attributes = planned === undefined ? [] : listWrittenNames(planned.plan)
      const { by, finish } = rules.options
      note(
        yield* listDocumentChanges(storage, { action, type, id: event.id, finish, attributes, by }, before),
      )
      return stored
    },
  }
}

function getChanges(
  { event, planned, rules }: ValidatedWrite,
  before: EntryObject | undefined,
  { variants }: StoredEntry,
): readonly EntryChange[] {
  const { type, id, action, publishes } = event
  const locale = type.locale === undefined ? undefined : planned?.plan.values.get(type.locale)
  const attributes = planned === undefined ? [] : listWrittenNames(planned.plan)
  const own: EntryChange = {
    action: publishes ?? action,
    type,
    id,
    attributes,
    before,
    locale: typeof locale === 'string' ? locale : undefined,
    by: rules.options.by,
  }
  const shared = attributes.filter((name) => type.attributes.get(name)?.localized === false)
  return [
    own,
    ...variants.map((variant) => ({
      ...own,
      action: 'update' as const,
      id: variant,
      attributes: shared,
      before: undefined,
      locale: undefined,
    })),
  ]
}
