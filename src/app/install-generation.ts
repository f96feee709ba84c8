// Creates the tables and entries of a generation and runs users' `bootstrap`: the steps of a start and a reload before
// the generation answers requests.

import type { Database } from '../databases/database.ts'
import { makeRuntimeTables } from '../databases/make-runtime-tables.ts'
import { applyMigration } from '../databases/migrate.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { migrationOptions } from '../migration/migration-options.ts'
import { reseed, seed, writtenMeanwhile } from '../seeding/seed-content.ts'
import type { Customization } from '../user-code/customize.ts'
import type { ContentReset } from './client-writes.ts'
import type { Generation } from './generation.ts'
import { warnBrokenEntries } from './warn-broken-entries.ts'

/** Warnings that were found after the configuration was checked, or the errors that stop the installation. */
export interface Applied {
  readonly ok: boolean
  /** Whether the content was put to what `data` says. */
  readonly reset: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export interface InstallOptions {
  /** The live generation; undefined at a start. */
  readonly previous?: Generation
  /** Memory only: puts the content to what `data` says, where it may. */
  readonly reset?: ContentReset | undefined
  /** Opened to be described only: users' `bootstrap` does not run. */
  readonly describes?: boolean
  /** The database has the tables and entries already, as a start of the same configuration has left them. */
  readonly installed?: boolean
}

/** On errors, the content of the previous generation stays as it was. */
export async function installGeneration(
  database: Database,
  next: Generation,
  { bootstrap }: Pick<Customization, 'bootstrap'>,
  { previous, reset, describes = false, installed = false }: InstallOptions,
): Promise<Applied> {
  const { config, model, layout } = next
  const refused = (diagnostics: readonly Diagnostic[]): Applied => ({ ok: false, reset: false, diagnostics })
  if (installed) {
    const failed = await bootstrap()
    return failed.length === 0 ? { ok: true, reset: false, diagnostics: [] } : refused(failed)
  }
  const unmovable =
    previous && 'it is moved at a start only, because requests of the former one are being answered'
  const migrated = await applyMigration(database, layout, migrationOptions(config, model, unmovable))
  if (!migrated.ok) return refused(migrated.diagnostics)
  const diagnostics = [...migrated.diagnostics, ...(await warnBrokenEntries(database, next, previous))]
  if (previous === undefined) await makeRuntimeTables(database)
  await next.prepare()
  const again = reset && (await reseed(config, model, next, reset.may))
  if (again !== undefined && again.faults.length > 0) return refused(again.faults)
  const done = again?.done === true
  if (done) reset?.done()
  else {
    const added = [...model.contentTypes.keys()].filter((uid) => !previous?.model.contentTypes.has(uid))
    const faults = await seed(config, model, next, new Set(added))
    if (faults.length > 0) return refused(faults)
  }
  const failed = describes ? [] : await bootstrap()
  if (failed.length === 0) return { ok: true, reset: done, diagnostics }
  const undone = !done || (await reset?.undo()) === true
  return refused(undone ? failed : [...failed, writtenMeanwhile()])
}
