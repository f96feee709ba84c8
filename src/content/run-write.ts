// Runs the work of one write in a transaction: hooks write within it, the commit names what changed, and a value that is
// taken is the client's error.

import { UniqueViolation, type Work } from '../databases/database.ts'
import { validationErrors } from '../errors/api-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import type { WritePlan } from '../plan/write-plan.ts'
import type { ChangedTypes } from './changed-types.ts'
import { notUnique } from './check-together.ts'
import type { EntryRow } from './entry.ts'
import type { WithinTransaction, WriteEvent } from './lifecycle.ts'
import type { TypeHooks } from './run-lifecycles.ts'
import type { Storage } from './storage.ts'
import type { EntryObject } from './to-object.ts'
import type { Change, Transactions } from './unit-of-work.ts'
import { insertHolder, updateHolder } from './write-entries.ts'

export interface WrittenEntry {
  readonly entry: EntryRow
  /** The entry for users' hooks; undefined when the type has no such hooks. */
  readonly result: EntryObject | undefined
}

export interface WriteRunnerParts {
  readonly storage: Storage
  readonly transactions: Transactions
  readonly changedTypes: ChangedTypes
  /** The `find` of hooks, within the transaction. */
  readonly find: WithinTransaction['find']
}

export function createWriteRunner({ storage, transactions, changedTypes, find }: WriteRunnerParts) {
  /** `types`: the content-types that the work itself changes, without those that hooks change. */
  return async function write(
    event: WriteEvent,
    hooks: TypeHooks | undefined,
    types: () => ReadonlySet<ContentType>,
    work: (within: WithinTransaction) => Work<WrittenEntry>,
  ): Promise<EntryRow> {
    const byHooks: WritePlan[] = []
    const within: WithinTransaction = {
      insert(plan) {
        byHooks.push(plan)
        return insertHolder(storage, plan)
      },
      update(plan, id) {
        byHooks.push(plan)
        return updateHolder(storage, plan, id)
      },
      find,
    }
    const change: Change = {
      types: () => [...types(), ...byHooks.flatMap((plan) => [...changedTypes.byWrite(plan)])],
      // A write of a localized entry copies shared values to its localizations.
      entries: () => [
        { type: event.type, id: event.type.localized ? undefined : event.id },
        ...byHooks.flatMap((plan) => changedTypes.ofHolder(plan)).map((type) => ({ type, id: undefined })),
      ],
      committed: () => hooks?.committed(event),
    }
    const finish = hooks?.finish
    try {
      if (finish === undefined) return (await transactions.write(() => work(within), change)).entry
      return await transactions.inTransaction(async () => {
        const { entry, result } = await transactions.write(() => work(within), change)
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

function takenError(type: AttributeHolder, { columns }: UniqueViolation): Error {
  const sets = isContentType(type) ? type.uniqueSets : []
  const set = sets.find((one) =>
    one.every((attribute) => attribute.kind === 'scalar' && columns.includes(attribute.column)),
  )
  if (set !== undefined && columns.length > 1) return notUnique(set)
  const [column] = columns
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar' && attribute.column === column) {
      return validationErrors([
        { path: [attribute.name], message: 'This attribute must be unique', name: 'ValidationError' },
      ])
    }
  }
  return validationErrors([{ path: [], message: 'This attribute must be unique', name: 'ValidationError' }])
}
