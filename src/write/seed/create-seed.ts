// Stores a seed: plans every entry, then stores, links and publishes them in one transaction.

import { everyPermission } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { PayloadOptions } from '../../plan/write/write-building.ts'
import { type Database, run } from '../../storage/database.ts'
import type { ModelLayout } from '../../storage/sql/build-layout.ts'
import { createDdl } from '../../storage/sql/migrations/ddl.ts'
import type { ChangedTypes } from '../changed-types.ts'
import { type Content, MAX_SEED_FAULTS, SeedFailure, type SeedFault } from '../content.ts'
import type { Writes } from '../create-writes.ts'
import type { ChangeRecorder } from '../recorded-changes.ts'
import type { Storage } from '../storage.ts'
import type { Transactions } from '../unit-of-work.ts'
import { seedChange } from './seed-change.ts'
import { publishSeeds, staysDraft, toDocuments } from './seed-documents.ts'
import { type PlannedSeedEntry, seedEntries } from './seed-entries.ts'

export interface SeedOptions {
  readonly database: Database
  readonly layout: ModelLayout
  readonly storage: Storage
  readonly writes: Pick<Writes, 'plan'>
  readonly transactions: Transactions
  readonly changedTypes: ChangedTypes
  readonly recorders: readonly ChangeRecorder[]
  /** Epoch milliseconds. */
  now(): number
}

/** Smaller seeds are not worth new table statistics. */
const FEW_ENTRIES = 100

export function createSeed(options: SeedOptions): Content['seed'] {
  const { database, layout, storage, writes, transactions, changedTypes, recorders, now } = options
  const analyze = createDdl(database.dialect).analyze(layout.tables.keys())
  return async (given, cleared = [], may = () => true) => {
    const entries = toDocuments(given)
    const outcomes: PlannedSeedEntry[] = []
    const faults: SeedFault[] = []
    for (const [index, { type, data }] of entries.entries()) {
      const options: PayloadOptions = {
        access: everyPermission,
        trusted: true,
        now: now(),
        mode: 'create',
        draft: staysDraft(type, data),
        versions: hasVersions(type),
      }
      try {
        outcomes.push({ index, outcome: await writes.plan(type, data, options) })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        faults.push({ index, reason: error })
        if (faults.length >= MAX_SEED_FAULTS) throw new SeedFailure(faults)
      }
    }
    return await transactions.write(
      function* () {
        if (!may()) return false
        const stored = yield* seedEntries(storage, outcomes, cleared, faults)
        yield* publishSeeds(storage, entries, stored, now())
        if (analyze !== undefined && outcomes.length > FEW_ENTRIES) yield* run(analyze, [])
        return true
      },
      seedChange(changedTypes, recorders, outcomes, cleared),
    )
  }
}
