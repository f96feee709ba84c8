// One write, from its begin to its end: begin, hooks, rows with their links and components, hooks, read back (all of these in
// `write-work.ts`), record the changes, commit, tell. A value that is taken is the client's error.

import { everyPermission } from '../auth/principal.ts'
import { UniqueViolation, type Work } from '../databases/database.ts'
import { validationErrors } from '../errors/api-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import type { Params } from '../plan/params.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { ChangedTypes } from './changed-types.ts'
import type { DocumentRow } from './document-rows.ts'
import { documentBefore, documentChanges } from './documents/document-changes.ts'
import type { WithinTransaction, WriteEvent } from './lifecycle.ts'
import { type ChangeRecorder, type EntryChange, writtenNames } from './recorded-changes.ts'
import type { EntryRow } from './rows/entry.ts'
import type { PrepareOne, ReadableOne } from './rows/readable-one.ts'
import { type EntryObject, toObject } from './rows/to-object.ts'
import type { TypeHooks } from './run-lifecycles.ts'
import type { Storage } from './storage.ts'
import type { Change, Transactions } from './unit-of-work.ts'
import type { RuledWrite } from './write-rules.ts'
import { faultOfUnique, notUnique } from './writes/check-together.ts'
import { insertHolder, lockEntry, updateHolder } from './writes/write-entries.ts'

/** A write with validated data. */
export interface ValidatedWrite {
  readonly event: WriteEvent
  /** Undefined for a delete. */
  readonly plan: WritePlan | undefined
  readonly hooks: TypeHooks | undefined
  /** The caller's rules, with the options of the write. */
  readonly rules: RuledWrite
  /** Reads the entry as it is answered. */
  readonly output: Pick<ReadableOne, 'readWork'>
  /** The content-types that the write itself changes, without those that hooks change. */
  types(): ReadonlySet<ContentType>
}

/** What the transaction of a write has come to. */
export interface StoredEntry {
  readonly entry: EntryRow
  /** The entry for users' hooks; undefined when the type has no such hooks. */
  readonly result: EntryObject | undefined
  /** Entries of other locales that were changed with it. */
  readonly siblings?: readonly number[]
}

/** Where writes happen. */
export interface WriteContext {
  readonly storage: Storage
  readonly transactions: Transactions
  readonly changedTypes: ChangedTypes
  /** The `find` of hooks, within the transaction. */
  readonly find: WithinTransaction['find']
  readonly prepareOne: PrepareOne
  /** May grow until the first write. */
  readonly recorders: readonly ChangeRecorder[]
}

/** What hooks write and read in the transaction of the write. */
class HookWrites implements WithinTransaction {
  readonly plans: WritePlan[] = []
  readonly find: WithinTransaction['find']
  readonly #storage: Storage

  constructor(storage: Storage, find: WithinTransaction['find']) {
    this.#storage = storage
    this.find = find
  }

  insert(plan: WritePlan): Work<number> {
    this.plans.push(plan)
    return insertHolder(this.#storage, plan)
  }

  update(plan: WritePlan, id: number): Work<boolean> {
    this.plans.push(plan)
    return updateHolder(this.#storage, plan, id)
  }
}

export function createWrite(context: WriteContext) {
  const { storage, transactions, changedTypes, find, prepareOne, recorders } = context

  /** What recorders ask of the entry as it is before the write, which nobody else may change any more. */
  function* imageOf({ action, type, id }: WriteEvent): Work<EntryObject | undefined> {
    if (action === 'create' || id === undefined) return undefined
    const asked = askedOf(type, action)
    if (asked === undefined) return undefined
    yield* lockEntry(storage, type, id)
    return yield* readAsked(type, asked, id)
  }

  function askedOf(type: ContentType, action: 'update' | 'delete'): Params | undefined {
    for (const recorder of recorders) {
      const params = recorder.imageOf(type, action)
      if (params !== undefined) return params
    }
  }

  function* readAsked(type: ContentType, asked: Params, id: number): Work<EntryObject | undefined> {
    const { question, readWork } = prepareOne(type, asked, everyPermission, false, false)
    const entry = yield* readWork(id)
    return entry === undefined ? undefined : toObject(question.plan, entry)
  }

  /** `found` is told what the write did. */
  function* recorded(
    validated: ValidatedWrite,
    work: Work<StoredEntry>,
    found: (changes: readonly EntryChange[]) => void,
  ): Work<StoredEntry> {
    const { event, plan, rules } = validated
    const { by, finish } = rules.options
    const { action, type } = event
    if (type.document === undefined) {
      const before = yield* imageOf(event)
      const written = yield* work
      found(changesOf(validated, before, written))
      return written
    }
    const asked = action === 'create' ? undefined : askedOf(type, action)
    // Versions are linked to versions of their own kind. No generator of its own: V8 would keep the request with it (0244).
    const imageOfRow =
      asked &&
      (({ id, version }: DocumentRow): Work<EntryObject | undefined> =>
        readAsked(type, { ...asked, publicationState: version === 'published' ? 'live' : 'draft' }, id))
    if (asked !== undefined && event.id !== undefined) yield* lockEntry(storage, type, event.id)
    const before = yield* documentBefore(storage, type, event.id, imageOfRow)
    const written = yield* work
    const attributes = plan === undefined ? [] : writtenNames(plan)
    found(yield* documentChanges(storage, { action, type, id: event.id, finish, attributes, by }, before))
    return written
  }

  /** `work`: what the transaction does, which a server may run more than once. */
  return async function write(
    validated: ValidatedWrite,
    work: (within: WithinTransaction) => Work<StoredEntry>,
  ): Promise<EntryRow> {
    const within = new HookWrites(storage, find)
    const { event, hooks } = validated
    const { type } = event
    const follows = recorders.some((recorder) => recorder.follows(type))
    let changes: readonly EntryChange[] = []
    const found = (made: readonly EntryChange[]): void => {
      changes = made
    }
    const run = (): Work<StoredEntry> => {
      within.plans.length = 0
      return follows ? recorded(validated, work(within), found) : work(within)
    }
    const change: Change = {
      types: () =>
        within.plans.length === 0
          ? validated.types()
          : new Set([...validated.types(), ...within.plans.flatMap((one) => [...changedTypes.byWrite(one)])]),
      // A write of a localized entry copies shared values to its localizations.
      entries: () => [
        { type, id: type.localized ? undefined : event.id },
        ...within.plans
          .flatMap((one) => changedTypes.ofHolder(one))
          .map((one) => ({ type: one, id: undefined })),
      ],
      committed: hooks && (() => hooks.committed(event)),
      recorded: follows ? () => changes : undefined,
    }
    const finish = hooks?.finish
    try {
      if (finish === undefined) return (await transactions.write(run, change)).entry
      return await transactions.inTransaction(async () => {
        const { entry, result } = await transactions.write(run, change)
        invariant(result !== undefined, 'hooks are given what was written')
        await finish(event, result)
        return entry
      })
    } catch (error) {
      if (error instanceof UniqueViolation) throw takenError(event.type, error)
      throw error
    }
  }
}

function changesOf(
  { event, plan, rules }: ValidatedWrite,
  before: EntryObject | undefined,
  { siblings = [] }: StoredEntry,
): readonly EntryChange[] {
  const { type, id, action, publishes } = event
  const locale = type.locale === undefined ? undefined : plan?.values.get(type.locale)
  const attributes = plan === undefined ? [] : writtenNames(plan)
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
  const others = siblings.filter((sibling) => sibling !== id)
  return [
    own,
    ...others.map((sibling) => ({
      ...own,
      action: 'update' as const,
      id: sibling,
      attributes: shared,
      before: undefined,
      locale: undefined,
    })),
  ]
}

function takenError(type: AttributeHolder, { columns }: UniqueViolation): Error {
  const sets = isContentType(type) ? type.uniqueSets : []
  const set = sets.find((one) =>
    one.every((attribute) => attribute.kind === 'scalar' && columns.includes(attribute.column)),
  )
  if (set !== undefined && columns.length > 1) return notUnique(set)
  const [column] = columns
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar' && attribute.column === column) {
      return validationErrors([faultOfUnique([attribute.name])])
    }
  }
  return validationErrors([faultOfUnique([])])
}
