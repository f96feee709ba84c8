// Creates the tables and entries of a generation and runs users' `bootstrap`: the steps of a start and a reload before
// the generation answers requests.

import type { Database } from '../databases/database.ts'
import { applyMigration, makeRuntimeTables } from '../databases/migrate.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { migrationOptions } from '../migration/migration-options.ts'
import { reseed, seed } from '../seeding/seed-content.ts'
import type { Customization } from '../user-code/customize.ts'
import type { Generation } from './generation.ts'
import { warnBrokenEntries } from './warn-broken-entries.ts'

/** Warnings that were found after the configuration was checked, or the errors that stop the installation. */
export interface Applied {
  readonly ok: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export interface InstallOptions {
  /** The live generation; undefined at a start. */
  readonly previous?: Generation
  /** Memory only: resets the content to `data`. */
  readonly data?: boolean
  /** Opened to be described only: users' `bootstrap` does not run. */
  readonly describes?: boolean
}

/** On errors, the content of the previous generation stays as it was. */
export async function installGeneration(
  database: Database,
  next: Generation,
  { bootstrap }: Pick<Customization, 'bootstrap'>,
  { previous, data = false, describes = false }: InstallOptions,
): Promise<Applied> {
  const { config, model, layout } = next
  const { ok, diagnostics: made } = await applyMigration(database, layout, migrationOptions(config, model))
  if (!ok) return { ok, diagnostics: made }
  const diagnostics = [...made, ...(await warnBrokenEntries(database, next, previous))]
  if (previous === undefined) await makeRuntimeTables(database)
  await next.prepare()
  const before = data ? database.snapshot?.() : undefined
  const added = [...model.contentTypes.keys()].filter((uid) => !previous?.model.contentTypes.has(uid))
  const faults = data ? await reseed(config, model, next) : await seed(config, model, next, new Set(added))
  if (faults.length > 0) return { ok: false, diagnostics: faults }
  const failed = describes ? [] : await bootstrap()
  if (failed.length === 0) return { ok, diagnostics }
  if (before !== undefined) database.restore?.(before)
  return { ok: false, diagnostics: failed }
}
