// The content-types whose entries a seed stores or replaces.

import type { ContentType } from '../../model/content-type.ts'
import type { ChangedTypes } from '../changed-types.ts'
import type { ClearedEntries } from '../content.ts'
import type { ChangeRecorder, EntryChange } from '../recorded-changes.ts'
import type { Change } from '../unit-of-work.ts'
import type { PlannedSeedEntry } from './seed-entries.ts'

export function seedChange(
  changedTypes: ChangedTypes,
  recorders: readonly ChangeRecorder[],
  outcomes: readonly PlannedSeedEntry[],
  cleared: readonly ClearedEntries[],
): Change {
  const own = (): readonly ContentType[] => [
    ...outcomes.flatMap(({ outcome }) => changedTypes.listTypes(outcome.plan)),
    ...cleared.map(({ type }) => type),
  ]
  return {
    patient: true,
    types: () =>
      new Set([
        ...outcomes.flatMap(({ outcome }) => [...changedTypes.byWrite(outcome.plan, true)]),
        ...cleared.flatMap(({ type }) => [...changedTypes.byDelete(type)]),
      ]),
    entries: () => own().map((type) => ({ type, id: undefined })),
    recorded: () =>
      [...new Set(own())].filter((type) => recorders.some((one) => one.follows(type))).map(getReset),
  }
}

/** A seed may contain any number of entries. */
function getReset(type: ContentType): EntryChange {
  const nothing = { id: undefined, attributes: [], before: undefined, locale: undefined, by: undefined }
  return { action: 'reset', type, ...nothing }
}
