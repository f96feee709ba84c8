// Creates the Content of a model, its tables and a database.

import type { Model } from '../model/model.ts'
import { planIds, planVisibleIds } from '../plan/conditions/plan-ids.ts'
import { planLimits } from '../plan/planning.ts'
import { createContentVersions } from '../query/content-versions.ts'
import { createReads } from '../query/create-reads.ts'
import { createFinds, everyEntry } from '../query/find-entries.ts'
import type { Database } from '../storage/database.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { createChangedTypes } from './changed-types.ts'
import type { Content, Documents } from './content.ts'
import { createDocuments } from './create-documents.ts'
import { createNestedWrites } from './create-nested-writes.ts'
import { createWrites } from './create-writes.ts'
import { findPlace } from './find-place.ts'
import { findSecrets } from './find-secrets.ts'
import type { HashPassword } from './hash-passwords.ts'
import type { Lifecycle } from './lifecycle.ts'
import { createHooks } from './run-lifecycles.ts'
import { createSeed } from './seed/create-seed.ts'
import { createStorage } from './storage.ts'
import { createTransactions, type TransactionHooks } from './unit-of-work.ts'
import { lockRows } from './writes/write-entries.ts'

interface ContentOptions extends Partial<TransactionHooks> {
  readonly model: Model
  readonly layout: ModelLayout
  readonly database: Database
  readonly hashPassword: HashPassword
  /** May grow, because plugins with lifecycles receive this content first, and users' code may add some at the start. */
  readonly lifecycles?: readonly Lifecycle[]
  /** The budget of one request (`rest.limits.cost`); the server's own reads are free. */
  readonly costLimit?: number
  /** Components and related entries per write (`rest.limits.writeRows`). */
  readonly writeRows?: number
  /** Whether `required` applies to relations and media of documents (`rest.strictRelations`). */
  readonly strictRelations?: boolean
  /** Whether unknown or forbidden names in data are faults (`rest.strict`). */
  readonly strict?: boolean
  /** Code around each write of a document. */
  readonly surroundDocuments?: ((documents: Documents) => Documents) | undefined
  /** Epoch milliseconds. */
  now(): number
}

export function createContent({
  model,
  layout,
  database,
  hashPassword,
  now,
  lifecycles = [],
  recorders = [],
  costLimit = Number.POSITIVE_INFINITY,
  writeRows = planLimits.writeRows,
  strict = true,
  strictRelations = false,
  onWrite,
  onCommit,
  surroundDocuments = (documents) => documents,
}: ContentOptions): Content {
  const { dialect } = database
  const versions = createContentVersions(database)
  const transactions = createTransactions(database, {
    recorders,
    onWrite,
    onCommit(types, entries) {
      versions.committed(types, entries)
      onCommit?.(types, entries)
    },
  })
  const reads = createReads({ layout, database, transactions, versions, costLimit })
  const { prepareFind, prepareFindOne, prepareFindDocument, prepareOne } = reads
  const storage = createStorage(model, layout, dialect, {
    idsUnder: (...asked) => reads.readIds(planIds(...asked)),
    visibleIds: (...asked) => reads.readIds(planVisibleIds(...asked)),
  })
  const changedTypes = createChangedTypes(model)

  const writes = createWrites({
    database,
    storage,
    transactions,
    changedTypes,
    recorders,
    hashPassword,
    writeRows,
    strict,
    looseRelations: model.apiVersion.documents && !strictRelations,
    now,
    prepareOne,
    findHooks: createHooks(lifecycles),
    find: (type, params) => reads.find(type, { ...everyEntry, ...params }),
  })

  const prepareOutput: Content['prepareOutput'] = (type, params, access) => {
    const prepared = prepareOne(type, params, access, false, false)
    return {
      ...prepared,
      plan: prepared.query.plan,
      readAll: (ids, budget) => reads.readWritten(type, ids, params, access, budget),
    }
  }
  const documents = model.apiVersion.documents
    ? surroundDocuments(createDocuments({ database, storage, writes, now }))
    : undefined
  const { inTransaction } = transactions

  return {
    database,
    get compiledPlans() {
      return reads.compiledPlans
    },
    scans: reads.scans,

    prepareFind,
    prepareFindOne,
    prepareFindDocument,
    prepareAggregate: reads.prepareAggregate,
    prepareOutput,
    ...createFinds({ prepareFind, prepareFindOne }),

    inTransaction,
    async lockEntries(type, ids) {
      if (storage.statements.lockRow(type) === undefined) return false
      await database.transaction(() => lockRows(storage, type, ids))
      return true
    },
    ...createNestedWrites({ writes, documents, writeRows, prepareOutput, inTransaction }),
    assertMayChange: writes.assertMayChange,
    delete: writes.delete,

    findSecrets: (type, by, names) =>
      database.read(() => findSecrets(storage, type, by, names), { single: true }),

    findPlace: async (model, component, id) =>
      database.read(() => findPlace(storage, model, component, id), { single: true }),

    seed: createSeed({ database, layout, storage, writes, transactions, changedTypes, recorders, now }),
  }
}
