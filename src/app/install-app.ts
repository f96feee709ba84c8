// Creates the tables and entries of an app and runs users' `bootstrap`.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { makeTables } from '../storage/make-tables.ts'
import { applyMigration } from '../storage/migrate.ts'
import { createMigrationOptions } from '../storage/migration/migration-options.ts'
import { createWrittenMeanwhile, reseed, seed } from '../write/seeding/seed-content.ts'
import type { App } from './app.ts'
import type { ContentReset } from './client-writes.ts'
import type { Environment } from './environment.ts'
import { warnBrokenEntries } from './warn-broken-entries.ts'

/** Warnings after the check of the configuration, or the errors that stop the installation. */
export interface InstallResult {
  readonly ok: boolean
  readonly reset: boolean
  readonly diagnostics: readonly Diagnostic[]
}

interface InstallOptions {
  readonly previous?: App
  readonly reset?: ContentReset | undefined
}

/** On errors, the content of the previous app stays as it was. */
export async function installApp(
  next: App,
  { database, content, describes = false }: Environment,
  { previous, reset }: InstallOptions = {},
): Promise<InstallResult> {
  const { config, model, layout } = next
  const refused = (diagnostics: readonly Diagnostic[]): InstallResult => ({
    ok: false,
    reset: false,
    diagnostics,
  })
  if (previous === undefined && content !== undefined) {
    const failed = await next.bootstrap()
    return failed.length === 0 ? { ok: true, reset: false, diagnostics: [] } : refused(failed)
  }
  const unmovable =
    previous && 'it is moved at a start only, because requests of the former one are being answered'
  const migrated = await applyMigration(database, layout, createMigrationOptions(config, model, unmovable))
  if (!migrated.ok) return refused(migrated.diagnostics)
  const diagnostics = [...migrated.diagnostics, ...(await warnBrokenEntries(database, next, previous))]
  const missing = [...next.ownTables].filter((table) => previous?.ownTables.has(table) !== true)
  if (missing.length > 0) await makeTables(database, missing)
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
  const failed = describes ? [] : await next.bootstrap()
  if (failed.length === 0) return { ok: true, reset: done, diagnostics }
  const undone = !done || (await reset?.undo()) === true
  return refused(undone ? failed : [...failed, createWrittenMeanwhile()])
}
