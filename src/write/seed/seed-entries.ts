// Stores planned seeds: rows first, links when every row exists.

import { ApiError, createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import type { LinkChange, PlannedPayload, WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import { type ClearedEntries, MAX_SEED_FAULTS, SeedFailure, type SeedFault } from '../content.ts'
import type { Storage, WaitingLink } from '../storage.ts'
import { buildFault, readBroken } from '../writes/check-entries.ts'
import { checkFileTypes } from '../writes/check-files.ts'
import { checkRelatedExist } from '../writes/check-stored.ts'
import { createNotUnique, readClashes } from '../writes/check-together.ts'
import { createEntry, deleteEntry } from '../writes/write-entries.ts'
import { writeLinks } from '../writes/write-links.ts'
import { writeMorphs } from '../writes/write-morphs.ts'
import { linkLocalizations, type SeededRow } from './seed-localizations.ts'

export interface PlannedSeedEntry {
  readonly index: number
  readonly outcome: PlannedPayload
}

/**
 * `planned`: earlier faults. The other faults are still collected; then SeedFailure is thrown and the
 * transaction rolls back.
 */
export function* seedEntries(
  storage: Storage,
  outcomes: readonly PlannedSeedEntry[],
  cleared: readonly ClearedEntries[],
  planned: readonly SeedFault[],
): Work<readonly { readonly id: number; readonly index: number }[]> {
  const faults = [...planned]
  for (const { type, ids } of cleared) {
    const gone = ids ?? (yield* run(storage.statements.everyId(type), [])).map((row) => Number(row[0]))
    for (const id of gone) yield* deleteEntry(storage, type, id)
  }
  const waiting: { readonly link: WaitingLink; readonly index: number }[] = []
  const rows: (SeededRow & { readonly index: number })[] = []
  for (const { index, outcome } of outcomes) {
    const waitingLinks: WaitingLink[] = []
    const id = yield* noted(faults, index, createEntry({ ...storage, waitingLinks }, outcome))
    if (id === undefined) continue
    rows.push({ id, index, plan: outcome.plan })
    for (const link of waitingLinks) waiting.push({ link, index })
  }
  // Links to an entry that could not be stored would be reported as faults of their own.
  if (faults.length > 0) throw new SeedFailure(faults)
  // One query for all; single queries only after a missing target.
  const asked = waiting.map(({ link }) => link)
  const missing = yield* readMissing(storage, asked)
  for (const { link, index } of waiting)
    yield* noted(faults, index, linkSeed(storage, link, missing.length > 0))
  if (faults.length > 0) throw new SeedFailure(faults)
  yield* linkLocalizations(storage, rows)
  for (const fault of yield* faultsTogether(storage, rows)) faults.push(fault)
  if (faults.length > 0) throw new SeedFailure(faults)
  return rows
}

function* faultsTogether(
  storage: Storage,
  rows: readonly { readonly id: number; readonly index: number; readonly plan: WritePlan }[],
): Work<readonly SeedFault[]> {
  const faults: SeedFault[] = []
  for (const type of new Set(rows.map(({ plan }) => plan.schema).filter(isContentType))) {
    const own = new Map(rows.filter(({ plan }) => plan.schema === type).map(({ id, index }) => [id, index]))
    const add = (id: number, reason: ApiError): void => {
      const index = own.get(id)
      if (index !== undefined && faults.length < MAX_SEED_FAULTS) faults.push({ index, reason })
    }
    for (const { id, set } of yield* readClashes(storage, type, [...own.keys()]))
      add(id, createNotUnique(set))
    for (const { id, check } of yield* readBroken(storage, type, [...own.keys()]))
      add(id, createValidationErrors([buildFault(check)]))
  }
  return faults
}

function readMissing(storage: Storage, waiting: readonly WaitingLink[]): Work<readonly ErrorItem[]> {
  const links = waiting.flatMap((one) => ('link' in one ? [one.link] : []))
  const morphs = waiting.flatMap((one) => ('morph' in one ? [one.morph] : []))
  return checkRelatedExist(storage, links, morphs)
}

function* linkSeed(storage: Storage, waiting: WaitingLink, anyMissing: boolean): Work<void> {
  const { ownId } = waiting
  const missing = anyMissing ? yield* readMissing(storage, [waiting]) : []
  if (missing.length > 0) throw createValidationErrors(missing)
  if ('link' in waiting) {
    const misplaced = yield* checkFileTypes(storage, [waiting.link])
    if (misplaced.length > 0) throw createValidationErrors(misplaced)
    yield* writeLinks(storage, ownId, { ...waiting.link, change: added(waiting.link.change) })
  } else {
    yield* writeMorphs(storage, ownId, waiting.morph)
  }
}

/** If a seed names both sides of a relation, each keeps its own order and all links of the other. */
function added(change: LinkChange): LinkChange {
  if (change.kind !== 'set') return change
  return {
    kind: 'change',
    disconnect: [],
    connect: change.ids.map((id) => ({ id, position: { at: 'end' } })),
  }
}

function* noted<T>(faults: SeedFault[], index: number, work: Work<T>): Work<T | undefined> {
  try {
    return yield* work
  } catch (error) {
    if (error instanceof ApiError) faults.push({ index, reason: error })
    // A failed statement may have ended the transaction, so other errors after a fault are expected and ignored.
    else if (faults.length === 0) throw error
    if (!(error instanceof ApiError) || faults.length >= MAX_SEED_FAULTS) throw new SeedFailure(faults)
    return undefined
  }
}
