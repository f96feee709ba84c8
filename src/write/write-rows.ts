// Writes a write's rows. Each generator function is created once: V8 keeps everything that a new one sees
// until a full garbage collection, which slowed the collector by half.

import { everyPermission } from '../access/principal.ts'
import { createValidationErrors, type ErrorItem } from '../lib/errors/api-error.ts'
import { invariant } from '../lib/errors/invariant.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType } from '../model/content-type.ts'
import { toObject } from '../query/rows/to-object.ts'
import { run, type Work } from '../storage/database.ts'
import { assertUnchanged } from './assert-unchanged.ts'
import { buildPublishingParams, findStoredFaults } from './check-published.ts'
import type { Storage } from './storage.ts'
import type { ValidatedWrite, WriteContext } from './validated-write.ts'
import { listSharedAttributes, readLocaleVariants, sharesValues } from './writes/localize-entries.ts'
import { touchLinking } from './writes/touch-entries.ts'
import {
  createLocalized,
  createNotFound,
  deleteEntry,
  lockEntry,
  updateEntry,
} from './writes/write-entries.ts'

type RowsContext = Pick<WriteContext, 'storage' | 'prepareOne' | 'looseRelations'>

export interface RowWriter {
  /** The entries that the caller's rules must allow, the written entry first. */
  affected(write: ValidatedWrite): Work<readonly number[]>
  /** Returns the id of the entry. */
  write(write: ValidatedWrite): Work<number>
}

export interface RowWriters extends Readonly<Record<'create' | 'update' | 'delete', RowWriter>> {
  faultsBeforePublishing(
    type: ContentType,
    id: number,
    data: Readonly<Record<string, unknown>>,
  ): Work<readonly ErrorItem[]>
}

export function createRowWriters({ storage, prepareOne, looseRelations }: RowsContext): RowWriters {
  const faultsBeforePublishing: RowWriters['faultsBeforePublishing'] = function* (type, id, data) {
    const { query, readWork } = prepareOne(type, buildPublishingParams(type), everyPermission, false)
    const stored = yield* readWork(id)
    return stored === undefined
      ? []
      : findStoredFaults(type, toObject(query.plan, stored), data, looseRelations)
  }

  return {
    faultsBeforePublishing,

    create: {
      *affected({ event, localizes }) {
        if (localizes === undefined) return []
        yield* lockEntry(storage, event.type, localizes)
        return [localizes]
      },
      *write({ event, planned, joined = [] }) {
        invariant(planned !== undefined, 'a create has data')
        return yield* createLocalized(storage, event.type, planned, joined)
      },
    },

    update: {
      *affected({ event, planned, rules }) {
        const { type, id } = event
        invariant(id !== undefined && planned !== undefined, 'an update has an entry and data')
        const { onlyWhile, finish } = rules.options
        if (onlyWhile !== undefined) yield* assertUnchanged(storage, type, id, onlyWhile)
        const shares =
          finish === 'discard' ? listSharedAttributes(type).length > 0 : sharesValues(type, planned.plan)
        return shares ? [id, ...(yield* readLocaleVariants(storage, type, id))] : [id]
      },
      *write({ event, planned, publishes }) {
        const { type, id, data } = event
        invariant(id !== undefined && planned !== undefined, 'an update has an entry and data')
        let { faults } = planned
        if (publishes === true) {
          // The draft must not change between its check and its publication.
          yield* lockEntry(storage, type, id)
          faults = [...faults, ...(yield* faultsBeforePublishing(type, id, data))]
        }
        if (!(yield* updateEntry(storage, type, { ...planned, faults }, id))) throw createNotFound()
        if (publishes === true && hasVersions(type) && !looseRelations) yield* assertLinked(storage, type, id)
        return id
      },
    },

    delete: {
      *affected({ event, rules }) {
        const { type, id } = event
        invariant(id !== undefined, 'a delete has an entry')
        yield* lockEntry(storage, type, id)
        return [id, ...(rules.options.with ?? [])]
      },
      *write({ event, rules }) {
        const { type, id } = event
        invariant(id !== undefined, 'a delete has an entry')
        const all = [id, ...(rules.options.with ?? [])]
        yield* touchLinking(storage, type, all)
        for (const one of all) yield* deleteEntry(storage, type, one)
        return id
      },
    },
  }
}

/** Throws ValidationError. */
function* assertLinked(storage: Storage, type: ContentType, draft: number): Work<void> {
  const faults: ErrorItem[] = []
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' && attribute.kind !== 'media') continue
    if (!attribute.required || attribute.target === undefined) continue
    const rows = yield* run(storage.statements.linkRows(storage.getLinkTable(attribute)), [draft])
    if (rows.length > 0) continue
    faults.push({
      path: [attribute.name],
      message: `${attribute.name} must be defined.`,
      name: 'ValidationError',
      value: null,
    })
  }
  if (faults.length > 0) throw createValidationErrors(faults)
}
