// The work of a create, an update and a delete within its transaction, in which the answer is read, too.
//
// Each is a generator function of its own, not one within the function that begins the transaction: the first call of a
// new generator function makes V8 keep everything that the function sees until a full garbage collection, which made
// the collector half as slow again.

import { everyPermission, ownCode } from '../auth/principal.ts'
import type { Work } from '../databases/database.ts'
import type { ErrorItem } from '../errors/api-error.ts'
import { invariant } from '../errors/invariant.ts'
import { hasVersions } from '../model/content-dialect.ts'
import type { ContentType } from '../model/content-type.ts'
import type { WriteOutcome, WritePlan } from '../plan/write/write-plan.ts'
import { assertUnchanged } from './assert-unchanged.ts'
import { faultsOfStored, paramsForPublishing } from './check-published.ts'
import type { FinishVersions } from './content.ts'
import { assertLinked } from './documents/check-required-links.ts'
import { finishVersions } from './documents/finish-versions.ts'
import { everyEntry } from './find-entries.ts'
import type { WithinTransaction, WriteEvent } from './lifecycle.ts'
import type { EntryRow } from './rows/entry.ts'
import { toObject } from './rows/to-object.ts'
import type { TypeHooks } from './run-lifecycles.ts'
import type { StoredEntry, ValidatedWrite, WriteContext } from './write.ts'
import { keptInStep, sharesValues, siblingsOf } from './writes/localize-entries.ts'
import { createLocalized, deleteEntry, lockEntry, notFound, updateEntry } from './writes/write-entries.ts'

type Data = Readonly<Record<string, unknown>>

export interface WorkContext extends Pick<WriteContext, 'storage' | 'prepareOne'> {
  /** Whether `required` does not count for relations and media. */
  readonly looseRelations: boolean
  now(): number
}

export function createWriteWork({ storage, prepareOne, looseRelations, now }: WorkContext) {
  /** What keeps a stored draft from being published with the data. */
  function* faultsBeforePublishing(type: ContentType, id: number, data: Data): Work<readonly ErrorItem[]> {
    const { question, readWork } = prepareOne(type, paramsForPublishing(type), everyPermission, false)
    const stored = yield* readWork(id)
    return stored === undefined
      ? []
      : faultsOfStored(type, toObject(question.plan, stored), data, looseRelations)
  }

  /** The faults of the outcome, and those of the draft that it publishes, which nobody else may change any more. */
  function* withFaultsOfDraft(
    { type, data }: WriteEvent,
    outcome: WriteOutcome,
    id: number,
  ): Work<WriteOutcome> {
    yield* lockEntry(storage, type, id)
    return { ...outcome, faults: [...outcome.faults, ...(yield* faultsBeforePublishing(type, id, data))] }
  }

  /** Reads what users' hooks get: the whole entry, even if the answer shows less of it. */
  function* resultOf(
    hooks: TypeHooks | undefined,
    type: ContentType,
    id: number,
  ): Work<StoredEntry['result']> {
    if (hooks?.finish === undefined) return undefined
    const { question, readWork } = prepareOne(type, everyEntry, ownCode, false)
    return toObject(question.plan, present(yield* readWork(id)))
  }

  /** The entry, and those of other locales whose shared attributes change with it. */
  function* changedWith(
    type: ContentType,
    plan: WritePlan,
    id: number,
    finish: FinishVersions | undefined,
  ): Work<readonly number[]> {
    const shares = finish === 'discard' ? keptInStep(type).length > 0 : sharesValues(type, plan)
    return shares ? [id, ...(yield* siblingsOf(storage, type, id))] : [id]
  }

  function* inserting(
    { event, hooks, rules, output }: ValidatedWrite,
    within: WithinTransaction,
    outcome: WriteOutcome,
    joined: readonly number[],
    source: number | undefined,
  ): Work<StoredEntry> {
    const { type } = event
    if (hooks !== undefined) yield* hooks.before(event, outcome.plan, within)
    yield* rules.before(source === undefined ? [] : [source])
    const id = yield* createLocalized(storage, type, outcome, joined)
    event.id = id
    if (hooks !== undefined) yield* hooks.after(event, outcome.plan, within)
    yield* rules.after(id)
    const shown = yield* finishVersions(storage, type, id, rules.options.finish, now())
    return { entry: present(yield* output.readWork(shown)), result: yield* resultOf(hooks, type, shown) }
  }

  function* updating(
    { event, hooks, rules, output }: ValidatedWrite,
    within: WithinTransaction,
    outcome: WriteOutcome,
    id: number,
    publishing: boolean,
  ): Work<StoredEntry> {
    const { type } = event
    const { onlyWhile, finish } = rules.options
    if (onlyWhile !== undefined) yield* assertUnchanged(storage, type, id, onlyWhile)
    const changed = yield* changedWith(type, outcome.plan, id, finish)
    yield* rules.before(changed)
    if (hooks !== undefined) yield* hooks.before(event, outcome.plan, within)
    const checked = publishing ? yield* withFaultsOfDraft(event, outcome, id) : outcome
    if (!(yield* updateEntry(storage, type, checked, id))) throw notFound()
    if (publishing && hasVersions(type) && !looseRelations) yield* assertLinked(storage, type, id)
    if (hooks !== undefined) yield* hooks.after(event, outcome.plan, within)
    yield* rules.after(id)
    const shown = yield* finishVersions(storage, type, id, finish, now())
    const result = yield* resultOf(hooks, type, shown)
    return { entry: present(yield* output.readWork(shown)), result, siblings: changed }
  }

  function* deleting(
    { event, hooks, rules, output }: ValidatedWrite,
    within: WithinTransaction,
    id: number,
    others: readonly number[],
  ): Work<StoredEntry> {
    const { type } = event
    yield* lockEntry(storage, type, id)
    yield* rules.before([id, ...others])
    const before = yield* output.readWork(id)
    if (before === undefined) throw notFound()
    const result = yield* resultOf(hooks, type, id)
    if (hooks !== undefined) yield* hooks.before(event, undefined, within)
    yield* deleteEntry(storage, type, id)
    for (const other of others) yield* deleteEntry(storage, type, other)
    if (hooks !== undefined) yield* hooks.after(event, undefined, within)
    return { entry: before, result }
  }

  return { inserting, updating, deleting, faultsBeforePublishing }
}

function present(entry: EntryRow | undefined): EntryRow {
  invariant(entry !== undefined, 'an entry just written can be read')
  return entry
}
