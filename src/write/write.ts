// Runs one validated write: rules, hooks, rows, response and change records in one transaction, then the
// commit and its subscribers.

import { ownCode } from '../access/principal.ts'
import { createValidationErrors } from '../lib/errors/api-error.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { ChangedEntry } from '../query/content-versions.ts'
import { everyEntry } from '../query/find-entries.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import { toObject } from '../query/rows/to-object.ts'
import { UniqueViolation, type Work } from '../storage/database.ts'
import { finishVersions } from './documents/finish-versions.ts'
import type { WithinTransaction } from './lifecycle.ts'
import { createWriteRecording } from './record-write.ts'
import type { EntryChange } from './recorded-changes.ts'
import type { Change } from './unit-of-work.ts'
import type { StoredEntry, ValidatedWrite, WriteContext } from './validated-write.ts'
import { createRowWriters, type RowWriters } from './write-rows.ts'
import { assertVersion } from './writes/assert-version.ts'
import { createNotUnique, createUniqueFault } from './writes/check-together.ts'
import { createNotFound, insertSchemaRow, updateSchemaRow } from './writes/write-entries.ts'
import { belongsToOne } from './writes/write-links.ts'

export interface Write {
  /** Throws ApiError for values that are taken. */
  write(validated: ValidatedWrite): Promise<EntryRow>
  readonly faultsBeforePublishing: RowWriters['faultsBeforePublishing']
}

export function createWrite(context: WriteContext): Write {
  const { storage, transactions, prepareOne, now } = context
  const rowWriters = createRowWriters(context)
  const recording = createWriteRecording(context)

  /** A database server may run this more than once. */
  function* store(validated: ValidatedWrite, within: WithinTransaction): Work<StoredEntry> {
    const { event, planned, hooks, rules } = validated
    const { type, action } = event
    const rows = rowWriters[action]
    const affected = yield* rows.affected(validated)
    yield* rules.before(affected)
    const { ifVersion: versions, access } = rules.options
    if (versions !== undefined && event.id !== undefined)
      yield* assertVersion(storage, {
        type,
        ids: [event.id, ...(rules.options.with ?? [])],
        versions,
        plan: planned?.plan,
        access,
      })
    const deleted = action === 'delete' ? yield* readBack(validated, event.id) : undefined
    if (action === 'delete' && deleted === undefined) throw createNotFound()
    if (hooks !== undefined) yield* hooks.before(event, planned?.plan, within)
    const id = yield* rows.write(validated)
    event.id = id
    if (hooks !== undefined) yield* hooks.after(event, planned?.plan, within)
    if (deleted !== undefined) return deleted
    yield* rules.after(id)
    const shown = yield* finishVersions(storage, type, id, rules.options.finish, now())
    const variants = action === 'update' ? affected.filter((one) => one !== id) : []
    const stored = yield* readBack(validated, shown)
    invariant(stored !== undefined, 'an entry just written can be read')
    return { ...stored, variants }
  }

  function* readBack(
    { event, hooks, output }: ValidatedWrite,
    id: number | undefined,
  ): Work<StoredEntry | undefined> {
    const entry = id === undefined ? undefined : yield* output.readWork(id)
    if (id === undefined || entry === undefined) return undefined
    if (hooks?.finish === undefined) return { entry, result: undefined, variants: [] }
    const { query, readWork } = prepareOne(event.type, everyEntry, ownCode, false)
    const whole = yield* readWork(id)
    invariant(whole !== undefined, 'an entry just written can be read')
    return { entry, result: toObject(query.plan, whole), variants: [] }
  }

  async function write(validated: ValidatedWrite): Promise<EntryRow> {
    const { event, hooks } = validated
    const within = new HookWrites(context)
    const follows = recording.follows(event.type)
    let changes: readonly EntryChange[] = []
    const note = (made: readonly EntryChange[]): void => {
      changes = made
    }
    const work = (): Work<StoredEntry> => {
      within.plans.length = 0
      const storing = store(validated, within)
      return follows ? recording.record(validated, storing, note) : storing
    }
    const change: Change = {
      types: () => within.typesWith(validated.types()),
      entries: () => listChangedEntries(validated, within.changedTypes()),
      committed: hooks && (() => hooks.committed(event)),
      recorded: follows ? () => changes : undefined,
    }
    const finish = hooks?.finish
    try {
      if (finish === undefined) return (await transactions.write(work, change)).entry
      return await transactions.inTransaction(async () => {
        const { entry, result } = await transactions.write(work, change)
        invariant(result !== undefined, 'hooks are given the entry')
        await finish(event, result)
        return entry
      })
    } catch (error) {
      if (error instanceof UniqueViolation) throw takenError(event.type, error)
      throw error
    }
  }

  return { write, faultsBeforePublishing: rowWriters.faultsBeforePublishing }
}

/** A write of a localized entry copies shared values to its localizations; entries that gain or lose a link get a new version. */
function listChangedEntries(
  { event: { type, id }, planned, types }: ValidatedWrite,
  byHooks: readonly ContentType[],
): readonly ChangedEntry[] {
  const others = [...types()].filter((one) => one !== type)
  const changesOthers =
    planned === undefined
      ? [...type.attributes.values()].some((one) => one.kind === 'relation' && one.target === type)
      : planned.plan.links.some(({ attribute }) => attribute.target === type || belongsToOne(attribute))
  const own = { type, id: type.localized || changesOthers ? undefined : id }
  if (others.length === 0 && byHooks.length === 0) return [own]
  return [own, ...[...others, ...byHooks].map((one) => ({ type: one, id: undefined }))]
}

class HookWrites implements WithinTransaction {
  readonly plans: WritePlan[] = []
  readonly find: WithinTransaction['find']
  readonly #context: WriteContext

  constructor(context: WriteContext) {
    this.#context = context
    this.find = context.find
  }

  insert(plan: WritePlan): Work<number> {
    this.plans.push(plan)
    return insertSchemaRow(this.#context.storage, plan)
  }

  update(plan: WritePlan, id: number): Work<boolean> {
    this.plans.push(plan)
    return updateSchemaRow(this.#context.storage, plan, id)
  }

  /** Adds types that hooks changed. */
  typesWith(types: ReadonlySet<ContentType>): ReadonlySet<ContentType> {
    if (this.plans.length === 0) return types
    const { changedTypes } = this.#context
    return new Set([...types, ...this.plans.flatMap((plan) => [...changedTypes.byWrite(plan)])])
  }

  changedTypes(): readonly ContentType[] {
    return this.plans.flatMap((plan) => this.#context.changedTypes.listTypes(plan))
  }
}

function takenError(type: Schema, { columns }: UniqueViolation): Error {
  const sets = isContentType(type) ? type.uniqueSets : []
  const set = sets.find((one) =>
    one.every((attribute) => attribute.kind === 'scalar' && columns.includes(attribute.column)),
  )
  if (set !== undefined && columns.length > 1) return createNotUnique(set)
  const [column] = columns
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar' && attribute.column === column) {
      return createValidationErrors([createUniqueFault([attribute.name])])
    }
  }
  return createValidationErrors([createUniqueFault([])])
}
