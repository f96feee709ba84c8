// Loads `data` into empty content-types at a start, and on request replaces all content.

import { everyPermission } from '../../access/principal.ts'
import type { Config } from '../../config/config.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import type { ContentType } from '../../model/content-type.ts'
import { type DataEntry, getPlace } from '../../model/data/data-entry.ts'
import type { Model } from '../../model/model.ts'
import { everyEntry } from '../../query/find-entries.ts'
import { type ClearedEntries, type Content, type SeedEntry, SeedFailure } from '../content.ts'
import type { FileIntake } from '../file-intake.ts'
import { type LoadedFiles, loadSeedFiles } from './load-seed-files.ts'
import { planSeed, type SeedOptions } from './plan-seed.ts'

interface SeedResult extends SeedOptions {
  readonly content: Content
  /** Undefined if the upload plugin is off. */
  readonly files: FileIntake | undefined
}

/** Loads only content-types without entries. */
export async function seed(
  config: Config,
  model: Model,
  { content, files, seedSources, now }: SeedResult,
  uids: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const planned = await planSeed(config, model, { seedSources, now })
  const empty = new Set<string>()
  for (const uid of uids) {
    const type = model.contentTypes.get(uid)
    if (type !== undefined && !(await content.exists(type, everyEntry))) empty.add(uid)
  }
  const entries = planned.filter(({ type }) => empty.has(type.uid))
  if (entries.length === 0) return []
  let loaded: LoadedFiles | undefined
  try {
    loaded = await loadSeedFiles(entries, { content, files, model, directory: config.directory })
    await content.seed(loaded.entries)
    return []
  } catch (error) {
    await loaded?.undo()
    if (!(error instanceof SeedFailure)) throw error
    return seedDiagnostics(error, entries)
  }
}

interface ReseedResult {
  readonly done: boolean
  readonly faults: readonly Diagnostic[]
}

/**
 * Replaces all entries in one transaction, within which `may` is called; an error rolls back. Roles stay,
 * because the app has created them.
 */
export async function reseed(
  config: Config,
  model: Model,
  { content, files, seedSources, now }: SeedResult,
  may: () => boolean,
): Promise<ReseedResult> {
  const planned = await planSeed(config, model, { seedSources, now })
  const { fileType } = model
  const stored = fileType === undefined ? [] : await storedFiles(content, fileType)
  const living = new Set(stored.map(({ hash }) => hash))
  let loaded: LoadedFiles | undefined
  try {
    const { directory } = config
    loaded = await loadSeedFiles(planned, { content, files, model, directory, living })
    const { replaced, gone } = listParts(stored, loaded.entries, fileType)
    const kept = new Set(seedSources.flatMap((source) => source.kept))
    const types = [...model.contentTypes.values()].filter((type) => type !== fileType && !kept.has(type.uid))
    const cleared: ClearedEntries[] = types.map((type) => ({ type }))
    if (fileType !== undefined) cleared.push({ type: fileType, ids: replaced })
    const done = await content.seed(loaded.entries, cleared, may)
    if (!done) await loaded.undo()
    if (!done || fileType === undefined) return { done, faults: [] }
    // Also deletes their stored contents.
    for (const id of gone)
      await content.delete(fileType, id, { params: {}, access: everyPermission, by: undefined })
    return { done, faults: [] }
  } catch (error) {
    await loaded?.undo()
    if (!(error instanceof SeedFailure)) throw error
    return { done: false, faults: seedDiagnostics(error, planned) }
  }
}

interface StoredFile {
  readonly id: number
  readonly hash: string
}

async function storedFiles(content: Content, fileType: ContentType): Promise<readonly StoredFile[]> {
  const files = await content.findAll(fileType, { fields: ['hash'] })
  return files.map(({ id, hash }) => ({ id, hash: String(hash) }))
}

/** `replaced`: the seed has a file with the same id or hash. `gone`: only deleted. */
function listParts(
  stored: readonly StoredFile[],
  entries: readonly SeedEntry[],
  fileType: ContentType | undefined,
): { readonly replaced: readonly number[]; readonly gone: readonly number[] } {
  const seeded = entries.filter(({ type }) => type === fileType).map(({ data }) => data)
  const ids = new Set(seeded.map((data) => data['id']))
  const hashes = new Set(seeded.map((data) => data['hash']))
  const isReplaced = ({ id, hash }: StoredFile): boolean => ids.has(id) || hashes.has(hash)
  return {
    replaced: stored.filter(isReplaced).map(({ id }) => id),
    gone: stored.filter((file) => !isReplaced(file)).map(({ id }) => id),
  }
}

/** Reported on a request to load `data` again into a database outside memory. */
export function createNotInMemory(): Diagnostic {
  return {
    code: 'SEED002',
    severity: 'error',
    path: ['database', 'client'],
    message: 'data is loaded again in a memory database only: here it would replace what is kept',
  }
}

/** Reported when a reload fails after its data were stored, and clients have written since. */
export function createWrittenMeanwhile(): Diagnostic {
  return {
    code: 'SEED003',
    severity: 'warning',
    path: ['data'],
    message: 'the entries of this data stay: a client wrote before the reload failed, and that is kept',
  }
}

interface LocatedFault {
  readonly path?: readonly string[]
  readonly message: string
}

function seedDiagnostics({ faults }: SeedFailure, entries: readonly DataEntry[]): readonly Diagnostic[] {
  const found = faults.flatMap(({ index, reason }): readonly Diagnostic[] => {
    const entry = entries[index]
    const listed = reason.details['errors']
    const located: readonly LocatedFault[] =
      Array.isArray(listed) && listed.length > 0 ? (listed as LocatedFault[]) : [{ message: reason.message }]
    return located.map(({ path: steps = [], message }) => ({
      code: 'SEED001',
      severity: 'error',
      ...(entry !== undefined && isFake(entry)
        ? { path: entry.path, message: notMadeUp(entry, steps, message) }
        : {
            path: entry === undefined ? ['data'] : getPlace(entry, steps),
            message: `this entry cannot be stored: ${message}`,
          }),
    }))
  })
  // Entries of one type repeat the same fault.
  const seen = new Set<string>()
  return found.filter(({ path, message }) => {
    const key = JSON.stringify([path, message])
    return !seen.has(key) && seen.add(key)
  })
}

function isFake({ path }: DataEntry): boolean {
  return path[0] === 'data' && path[1] === 'fake'
}

function notMadeUp({ type }: DataEntry, steps: readonly string[], reason: string): string {
  const at = steps.length === 0 || reason.startsWith(steps.join('.')) ? '' : `"${steps.join('.')}": `
  return `so many entries of ${type.uid} that keep its rules could not be made up: ${at}${reason}`
}
